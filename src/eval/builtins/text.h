#pragma once
#include <string>
#include <string_view>

#include "eval/state/value.h"

namespace cameo::eval {

// str(value) in Python. A size is written as its formula, any other runtime value as "?".
std::string text_of(const Value& value);
// One item of a %-format: flags and width, then the conversion.
std::string formatted(const Value& value, std::string_view flags, char conversion);

}  // namespace cameo::eval
