#include "aten/image/antialias.h"

#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

// The distance between the centres of two results, in elements of the input.
Expr step(const Expr& like, const Dim& from, const Dim& to, const std::optional<double>& factor,
          const Smoothing& smoothing) {
  if (smoothing.align_corners) {  // (from - 1)/(to - 1), and 0 for one result
    const Expr steps = like.number(to) - 1;
    return (like.number(from) - 1) * minimum(steps, 1) / maximum(steps, 1);
  }
  return factor && *factor > 0 ? like.number(1 / *factor) : like.number(from) / like.number(to);
}

// The weight of an element at a distance of x.
Expr triangle(const Expr& x) { return relu(1 - abs(x)); }
Expr cubic(const Expr& x) {
  constexpr double a = -0.5;
  const Expr d = abs(x);
  const Expr inner = ((a + 2) * d - (a + 3)) * d * d + 1;
  const Expr outer = (((d - 5) * d + 8) * d - 4) * a;
  return where(d < 1, inner, where(d < 2, outer, 0));
}

// A matrix with a row for each result and a column for each element.
Expr weights(Emit& e, const Expr& like, const Dim& from, const Dim& to, const std::optional<double>& factor,
             const Smoothing& smoothing) {
  const Expr distance = step(like, from, to, factor, smoothing);
  const Expr centres = unsqueeze(distance * (cast(indices(e, to), like.dtype()) + 0.5), {1});
  const Expr places = cast(indices(e, from), like.dtype()) + 0.5;
  const Expr x = (places - centres) / maximum(distance, 1);
  const Expr unscaled = smoothing.cubic ? cubic(x) : triangle(x);
  return unscaled / reduce_sum(unscaled, {1}, true);
}

}  // namespace

Expr resize_smoothly(Expr x, const Shape& sizes, const std::vector<std::optional<double>>& factors,
                     const Smoothing& smoothing) {
  Emit& e = *x.e;
  const DType dtype = x.dtype();
  if (dtype != DType::f64) x = cast(x, DType::f32);
  const Shape from = x.shape().last(2);
  const Expr columns = weights(e, x, from[1], sizes[1], factors[1], smoothing);
  const Expr rows = weights(e, x, from[0], sizes[0], factors[0], smoothing);
  return cast(matmul(rows, matmul(x, transpose(columns, {1, 0}))), dtype);
}

}  // namespace cameo::aten
