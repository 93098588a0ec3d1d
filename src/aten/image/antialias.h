#pragma once
#include <optional>
#include <vector>

#include "aten/formula.h"

namespace cameo::aten {

// A resize that smooths what shrinks: each result is a weighted mean of all elements under a triangle or a cubic
// filter, which is as wide as the step between two results. ONNX's Resize defines `antialias` in another way.
struct Smoothing {
  bool cubic = false;
  bool align_corners = false;
};

// Resizes the last dimensions of `x` to `sizes`. `factors`, one for each, give the step between two results
// where they are present; otherwise the ratio of the sizes does.
Expr resize_smoothly(Expr x, const Shape& sizes, const std::vector<std::optional<double>>& factors,
                     const Smoothing& smoothing);

}  // namespace cameo::aten
