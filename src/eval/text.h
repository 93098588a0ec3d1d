#pragma once
#include <string>
#include <string_view>

#include "eval/evaluator.h"

namespace cameo::eval {

// str(value), as Python writes it; what only a run can tell is named by its formula or as "?".
std::string text_of(Evaluator& evaluator, const Value& value);
// One item of a %-format: flags and width, then the conversion.
std::string formatted(Evaluator& evaluator, const Value& value, std::string_view flags, char conversion);

}  // namespace cameo::eval
