#pragma once
#include <string_view>
#include <vector>

#include "interpreter.h"

namespace cameo::torch {

// The results of a node that calls a higher-order operator.
using HigherOrder = std::vector<c10::IValue> (*)(Interpreter& interpreter, const exported::Node& node,
                                                 const Scope& scope);

// Null for a target that is not a higher-order operator, or not one that the interpreter knows.
HigherOrder find_higher_order(std::string_view target);

}  // namespace cameo::torch
