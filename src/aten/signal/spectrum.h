#pragma once
// Fourier transforms of tensors, real and complex, over several axes.

#include <optional>
#include <string>
#include <vector>

#include "aten/formula.h"

namespace cameo::aten {

// The numbers that a transform divides by: none, the root of the number of elements, or this number.
enum class Norm { none, root, count };
// PyTorch's name of it, for a transform from signals to spectra (`forward`) or back.
Norm norm_of(const std::optional<std::string>& name, bool forward);

// The axes of a transform, and the sizes of the signal along them. The tensor is cut to these sizes, or filled
// up with zeros.
struct Extent {
  Axes axes;
  Shape sizes;
};
// `sizes` may be absent, or -1: as the tensor has them. The last is then twice that of the tensor, less 2, if
// the tensor holds half a spectrum.
Extent extent_of(const Tensor& self, const Axes& axes, const std::optional<Shape>& sizes, bool half);

Tensor complex_to_complex(Emit& e, const Tensor& self, const Extent& extent, Norm norm, bool forward);
// The last axis of the result holds the first half of the spectrum, or all of it.
Tensor real_to_complex(Emit& e, const Expr& self, const Extent& extent, Norm norm, bool forward,
                       bool onesided = true);
// The last axis of the tensor holds the first half of a spectrum whose other half mirrors it.
Expr complex_to_real(Emit& e, const Tensor& self, const Extent& extent, Norm norm, bool forward);

// Longer by zeros, or shorter, along an axis.
Expr resized(const Expr& x, std::int64_t axis, const Dim& size);
// The dtype in which runtimes compute a transform of this size with all digits of `dtype`.
DType transform_dtype(DType dtype, const Dim& size);

}  // namespace cameo::aten
