#pragma once
// Fourier transforms of real tensors whose results are real, as products with matrices of sines and cosines.

#include <optional>
#include <string>
#include <vector>

#include "aten/arg.h"

namespace cameo::aten {

// The real signal whose spectrum, of which the last of `axes` holds the first half, is given: irfft, irfft2
// and irfftn; or, transformed forward instead of back, hfft, hfft2 and hfftn. `sizes` are those of the result
// along the axes; where absent, those of the tensor, and twice the last less 2. `norm` is PyTorch's.
Expr signal_of(Emit& e, const Expr& spectrum, const std::vector<std::int64_t>& axes,
               const std::optional<Shape>& sizes, const std::optional<std::string>& norm, bool forward);

}  // namespace cameo::aten
