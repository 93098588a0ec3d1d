#pragma once
#include <string_view>
#include <vector>

#include "aten/support.h"

namespace cameo::eval {

// The type that a result of an operator without a conversion is taken to have: that of its tensors, unless
// the operator is known to give booleans or indices. Its shape stays unknown. Throws Unsupported where even
// that would be a guess.
onnx::Type assumed_type(std::string_view op, std::size_t result, const std::vector<aten::Operand>& tensors);

}  // namespace cameo::eval
