#include "aten/signal/spectrum.h"

#include <fmt/format.h>

#include <numbers>

#include "aten/elementwise.h"
#include "aten/formula.h"
#include "aten/matrix/matrices.h"

namespace cameo::aten {
namespace {

using onnx::Value;

// Real and imaginary parts; the second is null where there is none.
struct Parts {
  Value* real;
  Value* imaginary;
};

// Longer by zeros, or shorter, along an axis.
Value* resized(Emit& e, const Tensor& x, std::int64_t axis, const Dim& size) {
  const Dim now = x.dim(axis);
  if (e.sym().equal(now, size) == sym::Truth::yes) return x;
  Shape added = x.shape();
  added[static_cast<std::size_t>(axis)] = e.simplify(sym::max(size - now, 0));
  return e.slice(e.concat({x, filled(e, like(e, x, 0), added)}, axis), axis, 0, size);
}

struct Waves {
  Value* cosine;
  Value* sine;
};

// cos and sin of 2 pi j k / size, for `rows` numbers j and all k.
Waves waves(Emit& e, const Dim& rows, const Dim& size, DType dtype) {
  Value* products = e.op("Mul", {e.unsqueeze(indices(e, rows), {1}), indices(e, size)});
  Value* turns = e.op("Mod", {products, e.dim(size)});
  const Real angle = Real{&e, e.cast(turns, DType::f64)} * (2 * std::numbers::pi) /
                     Real{&e, e.cast(e.dim(size), DType::f64)};
  return {e.cast(cos(angle).value, dtype), e.cast(sin(angle).value, dtype)};
}

Value* with_last(Emit& e, const Tensor& x, std::int64_t axis) {
  std::vector<std::int64_t> perm = all_axes(x);
  std::swap(perm[static_cast<std::size_t>(axis)], perm.back());
  return e.transpose(x, perm);
}

Value* times(Emit& e, Value* x, Value* matrix, std::int64_t axis) {
  return with_last(e, e.op("MatMul", {with_last(e, x, axis), matrix}), axis);
}

Parts transformed(Emit& e, const Parts& x, std::int64_t axis, const Dim& size, bool forward) {
  const Waves by = waves(e, size, size, x.real->dtype());
  Value* sine = forward ? e.op("Neg", {by.sine}) : by.sine;
  Value* real = resized(e, x.real, axis, size);
  const Parts first{times(e, real, by.cosine, axis), times(e, real, sine, axis)};
  if (!x.imaginary) return first;
  Value* imaginary = resized(e, x.imaginary, axis, size);
  return {e.op("Sub", {first.real, times(e, imaginary, sine, axis)}),
          e.op("Add", {first.imaginary, times(e, imaginary, by.cosine, axis)})};
}

// The other half of the spectrum mirrors this one: all but the first and, of an even size, the last count
// twice.
Value* from_half(Emit& e, const Parts& x, std::int64_t axis, const Dim& size, bool forward) {
  const DType dtype = x.real->dtype();
  const Dim half = e.simplify(sym::floordiv(size, 2) + 1);
  Value* doubled = e.op("Mul", {indices(e, half), e.dim(2)});
  Value* once = e.op("Equal", {e.op("Mod", {doubled, e.dim(size)}), e.dim(0)});
  Value* weights = e.op("Where", {once, e.scalar(dtype, 1.0), e.scalar(dtype, 2.0)});
  const Waves by = waves(e, half, size, dtype);
  const auto part = [&](Value* of, Value* wave) {
    return times(e, resized(e, of, axis, half), e.op("Mul", {wave, e.unsqueeze(weights, {1})}), axis);
  };
  Value* real = part(x.real, by.cosine);
  if (!x.imaginary) return real;
  return e.op(forward ? "Add" : "Sub", {real, part(x.imaginary, by.sine)});
}

Value* scaled(Emit& e, Value* x, const Dim& count, const std::optional<std::string>& norm, bool forward) {
  const std::string kind = norm.value_or("backward");
  if (kind != "backward" && kind != "ortho" && kind != "forward")
    throw ProgramError(fmt::format("the norm '{}' is unknown", kind));
  if (kind == (forward ? "backward" : "forward")) return x;
  Value* number = e.cast(e.dim(count), x->dtype());
  return e.op("Div", {x, kind == "ortho" ? e.op("Sqrt", {number}) : number});
}

}  // namespace

Tensor signal_of(Emit& e, const Tensor& spectrum, const std::vector<std::int64_t>& axes,
                 const std::optional<Shape>& sizes, const std::optional<std::string>& norm, bool forward) {
  if (axes.empty()) throw ProgramError("there must be at least one dimension");
  if (sizes && sizes->size() != axes.size()) throw ProgramError("there must be one size for each dimension");
  const Tensor x = floats(e, spectrum);
  Parts parts{x, nullptr};
  Dim count(1);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t axis = x.wrap(axes[i]);
    const bool last = i + 1 == axes.size();
    Dim size = last ? 2 * (x.dim(axis) - 1) : x.dim(axis);
    if (sizes && (*sizes)[i].as_constant() != -1) size = (*sizes)[i];
    count = count * size;
    if (last)
      parts.real = from_half(e, parts, axis, size, forward);
    else
      parts = transformed(e, parts, axis, size, forward);
  }
  return scaled(e, parts.real, count, norm, forward);
}

}  // namespace cameo::aten
