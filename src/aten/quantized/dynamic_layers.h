#pragma once
// Linear layers whose inputs are quantised while they are computed.

#include "aten/packed.h"
#include "aten/quantized/dynamic_range.h"

namespace cameo::aten::quantized_ops {

// The numbers of the layer for numbers `x`. Weights that are not quantised multiply the numbers themselves.
Expr linear_dynamic(Emit& e, const Expr& x, const PackedLinear& packed, bool reduce_range);

}  // namespace cameo::aten::quantized_ops
