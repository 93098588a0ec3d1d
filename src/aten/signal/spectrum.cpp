#include "aten/signal/spectrum.h"

#include <fmt/core.h>

#include <numbers>

#include "aten/elementwise.h"
#include "aten/formula.h"
#include "aten/matrix/matrices.h"

namespace cameo::aten {
namespace {

// Real and imaginary parts; the second is null where there is none.
struct Parts {
  Expr real;
  Expr imaginary;
};

// Longer by zeros, or shorter, along an axis.
Expr resized(Emit& e, const Expr& x, std::int64_t axis, const Dim& size) {
  const Dim now = x.dim(axis);
  if (e.sym().equal(now, size) == sym::Truth::yes) return x;
  Shape added = x.shape();
  added[axis] = e.simplify(sym::max(size - now, 0));
  return slice(concat({x, filled(x.number(0), added)}, axis), axis, 0, size);
}

struct Waves {
  Expr cosine;
  Expr sine;
};

// cos and sin of 2 pi j k / size, for `rows` numbers j and all k.
Waves waves(Emit& e, const Dim& rows, const Dim& size, DType dtype) {
  const Expr products = unsqueeze(indices(e, rows), {1}) * indices(e, size);
  const Expr turns = products % size;
  const Expr angle =
      Expr(cast(turns, DType::f64)) * (2 * std::numbers::pi) / Expr(e.cast(e.dim(size), DType::f64));
  return {cast(cos(angle), dtype), cast(sin(angle), dtype)};
}

Expr with_last(const Expr& x, std::int64_t axis) {
  std::vector<std::int64_t> perm = all_axes(x);
  std::swap(element_at(perm, axis), perm.back());
  return transpose(x, perm);
}

Expr times(Expr x, Expr matrix, std::int64_t axis) {
  return with_last(matmul(with_last(x, axis), matrix), axis);
}

Parts transformed(Emit& e, const Parts& x, std::int64_t axis, const Dim& size, bool forward) {
  const Waves by = waves(e, size, size, x.real->dtype());
  const Expr sine = forward ? -by.sine : by.sine;
  const Expr real = resized(e, x.real, axis, size);
  const Parts first{times(real, by.cosine, axis), times(real, sine, axis)};
  if (!x.imaginary.value) return first;
  const Expr imaginary = resized(e, x.imaginary, axis, size);
  return {first.real - times(imaginary, sine, axis), first.imaginary + times(imaginary, by.cosine, axis)};
}

// The other half of the spectrum mirrors this one: all but the first and, of an even size, the last count
// twice.
Expr from_half(Emit& e, const Parts& x, std::int64_t axis, const Dim& size, bool forward) {
  const DType dtype = x.real->dtype();
  const Dim half = e.simplify(sym::floordiv(size, 2) + 1);
  const Expr doubled = indices(e, half) * 2;
  const Expr once = equal(doubled % size, 0);
  const Expr weights = where(once, Expr(e.scalar(dtype, 1.0)), 2);
  const Waves by = waves(e, half, size, dtype);
  const auto part = [&](Expr of, Expr wave) {
    return times(resized(e, of, axis, half), wave * unsqueeze(weights, {1}), axis);
  };
  const Expr real = part(x.real, by.cosine);
  if (!x.imaginary.value) return real;
  const Expr imaginary = part(x.imaginary, by.sine);
  return forward ? real + imaginary : real - imaginary;
}

Expr scaled(Emit& e, Expr x, const Dim& count, const std::optional<std::string>& norm, bool forward) {
  const std::string kind = norm.value_or("backward");
  if (kind != "backward" && kind != "ortho" && kind != "forward")
    throw ProgramError(fmt::format("the norm '{}' is unknown", kind));
  if (kind == (forward ? "backward" : "forward")) return x;
  const Expr number = e.cast(e.dim(count), x->dtype());
  return x / (kind == "ortho" ? sqrt(number) : number);
}

}  // namespace

Expr signal_of(Emit& e, const Expr& spectrum, const std::vector<std::int64_t>& axes,
               const std::optional<Shape>& sizes, const std::optional<std::string>& norm, bool forward) {
  if (axes.empty()) throw ProgramError("there must be at least one dimension");
  if (sizes && sizes->size() != axes.size()) throw ProgramError("there must be one size for each dimension");
  const Expr x = floats(spectrum);
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
