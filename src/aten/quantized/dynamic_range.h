#pragma once
// Quantising with a scale that depends on the elements, as PyTorch chooses it.

#include "aten/formula.h"

namespace cameo::aten::quantized_ops {

// u8 integers and their parameters. `reduce_range` leaves the highest bit unused: products of such integers
// with i8 weights fit the 16 bits to which some processors saturate them.
Tensor quantized_dynamically(Emit& e, const Expr& x, bool reduce_range);

}  // namespace cameo::aten::quantized_ops
