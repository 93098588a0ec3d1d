#pragma once
// Calls with quantised tensors, converted by a converter of numbers.

#include <span>

#include "aten/op.h"

namespace cameo::aten {

// Whether a tensor among the arguments is quantised.
bool has_quantized(std::span<const Arg> args);

// Converts the call as the operator's fact `quantized` says. Throws Unsupported if it says nothing.
Returns on_quantized(const Op& op, Emit& e, std::span<const Arg> args);

}  // namespace cameo::aten
