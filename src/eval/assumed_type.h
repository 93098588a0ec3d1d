#pragma once
#include <string_view>
#include <vector>

#include "aten/support.h"

namespace cameo::eval {

// The type of a result of a call that stays a PyTorch operator, by the operator's declaration (aten::Result).
// An operator that is not declared gives the type of its tensors. The shape is unknown. Throws Unsupported if
// the element type is not known.
onnx::Type assumed_type(std::string_view op, std::size_t result, const std::vector<aten::Operand>& tensors);

}  // namespace cameo::eval
