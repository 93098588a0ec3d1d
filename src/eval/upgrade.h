#pragma once
#include <optional>
#include <string_view>

#include "eval/evaluator.h"

namespace cameo::eval {

// Operators whose meaning changed since the file's format version: what they meant then. Nothing for all
// others.
std::optional<Value> upgrade(Evaluator& evaluator, std::string_view op, const Arguments& arguments);

}  // namespace cameo::eval
