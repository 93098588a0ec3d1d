#include "aten/signal/spectrum.h"

#include <fmt/core.h>

#include <array>
#include <limits>

#include "aten/elementwise.h"

namespace cameo::aten {
namespace {

// Pairs of real and imaginary parts along a last axis, which may hold the real part alone.
Expr pairs_of(Emit& e, const Tensor& self) {
  if (self.complex) return Expr(e, self.value);
  return unsqueeze(floats(Expr(e, self)), {-1});
}

bool has_imaginary(const Expr& pairs) { return pairs.shape().back().as_constant() != 1; }

Expr conjugated(const Expr& pairs) {
  if (!has_imaginary(pairs)) return pairs;
  constexpr std::array<double, 2> kSigns{1, -1};
  Emit& e = *pairs.e;
  return pairs * Expr(e.cast(e.constant(onnx::Data::of<double>(DType::f64, {2}, kSigns)), pairs.dtype()));
}

// The transform forward, without a norm.
Expr dft(const Expr& pairs, std::int64_t axis, bool onesided) {
  Emit& e = *pairs.e;
  const Expr x = cast(pairs, transform_dtype(pairs.dtype(), pairs.dim(axis)));
  onnx::Attributes attributes;
  if (onesided) attributes.push_back({"onesided", std::int64_t{1}});
  return cast(e.op("DFT", {x, nullptr, e.dim(axis)}, std::move(attributes)), pairs.dtype());
}

// The transform back is the conjugate of the transform of the conjugate.
Expr transformed(const Expr& pairs, std::int64_t axis, const Dim& size, bool forward) {
  const Expr x = resized(pairs, axis, size);
  return forward ? dft(x, axis, false) : conjugated(dft(conjugated(x), axis, false));
}

Expr reversed(const Expr& x, std::int64_t axis) {
  constexpr std::int64_t kBeforeFirst = std::numeric_limits<std::int64_t>::min();
  return x.e->op("Slice",
                 {x, x.e->ints({-1}), x.e->ints({kBeforeFirst}), x.e->ints({axis}), x.e->ints({-1})});
}

// The spectrum whose first half is given: the other half is its mirror image, conjugated.
Expr mirrored(Emit& e, const Expr& half, std::int64_t axis, const Dim& size) {
  const Dim count = e.simplify(sym::floordiv(size - 1, 2));
  return concat({half, conjugated(reversed(slice(half, axis, 1, count + 1), axis))}, axis);
}

Expr scaled(const Expr& x, const Shape& sizes, Norm norm) {
  if (norm == Norm::none) return x;
  const Expr count = x.e->cast(x.e->dim(sizes.product()), x.dtype());
  return x / (norm == Norm::root ? sqrt(count) : count);
}

}  // namespace

Norm norm_of(const std::optional<std::string>& name, bool forward) {
  const std::string kind = name.value_or("backward");
  if (kind == "ortho") return Norm::root;
  if (kind != "backward" && kind != "forward")
    throw ProgramError(fmt::format("the norm '{}' is unknown", kind));
  return kind == (forward ? "forward" : "backward") ? Norm::count : Norm::none;
}

Extent extent_of(const Tensor& self, const Axes& axes, const std::optional<Shape>& sizes, bool half) {
  if (axes.empty()) throw ProgramError("there must be at least one dimension");
  if (sizes && sizes->size() != axes.size()) throw ProgramError("there must be one size for each dimension");
  Extent extent;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t axis = self.wrap(axes[i]);
    const bool twice = half && i + 1 == axes.size();
    Dim size = twice ? 2 * (self.dim(axis) - 1) : self.dim(axis);
    if (sizes && (*sizes)[i].as_constant() != -1) size = (*sizes)[i];
    extent.axes.push_back(axis);
    extent.sizes.push_back(size);
  }
  return extent;
}

Expr resized(const Expr& x, std::int64_t axis, const Dim& size) {
  Emit& e = *x.e;
  const Dim now = x.dim(axis);
  if (e.sym().equal(now, size) == sym::Truth::yes) return x;
  Shape added = x.shape();
  added[axis] = e.simplify(sym::max(size - now, 0));
  return slice(concat({x, filled(x.number(0), added)}, axis), axis, 0, size);
}

// ONNX Runtime loses digits of f32 for sizes other than powers of two.
DType transform_dtype(DType dtype, const Dim& size) {
  const std::int64_t known = size.as_constant().value_or(0);
  return dtype == DType::f32 && known > 0 && (known & (known - 1)) == 0 ? DType::f32 : DType::f64;
}

Tensor complex_to_complex(Emit& e, const Tensor& self, const Extent& extent, Norm norm, bool forward) {
  Expr x = pairs_of(e, self);
  for (std::size_t i = 0; i < extent.axes.size(); ++i)
    x = transformed(x, extent.axes[i], extent.sizes[i], forward);
  return Tensor::pairs(scaled(x, extent.sizes, norm));
}

Tensor real_to_complex(Emit& e, const Expr& self, const Extent& extent, Norm norm, bool forward,
                       bool onesided) {
  const Expr pairs = resized(pairs_of(e, self), extent.axes.back(), extent.sizes.back());
  Expr x = dft(pairs, extent.axes.back(), onesided);
  if (!forward) x = conjugated(x);
  for (std::size_t i = 0; i + 1 < extent.axes.size(); ++i)
    x = transformed(x, extent.axes[i], extent.sizes[i], forward);
  return Tensor::pairs(scaled(x, extent.sizes, norm));
}

Expr complex_to_real(Emit& e, const Tensor& self, const Extent& extent, Norm norm, bool forward) {
  Expr x = pairs_of(e, self);
  for (std::size_t i = 0; i + 1 < extent.axes.size(); ++i)
    x = transformed(x, extent.axes[i], extent.sizes[i], forward);
  const std::int64_t axis = extent.axes.back();
  const Dim& size = extent.sizes.back();
  const Expr half = resized(x, axis, e.simplify(sym::floordiv(size, 2) + 1));
  const Expr spectrum = mirrored(e, forward ? half : conjugated(half), axis, size);
  const Expr signal = gather(dft(spectrum, axis, false), e.scalar(DType::i64, std::int64_t{0}), -1);
  return scaled(signal, extent.sizes, norm);
}

}  // namespace cameo::aten
