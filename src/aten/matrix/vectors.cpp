// Vectors: their products, their powers, and their lengths held down.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Expr linalg_vecdot(Emit&, Expr x, Expr y, std::int64_t dim) {
  if (!is_floating(x.dtype()) || x.dtype() != y.dtype())
    throw ProgramError("the tensors must have one floating-point type");
  const Expr products = x * y;
  return reduce_sum(products, {products.wrap(dim)});
}

// x^0, x^1, … as a new last dimension. Integers are multiplied exactly.
Expr powers(Emit& e, const Expr& self, const Dim& count) {
  const Expr x = is_whole(self) ? Expr(cast(self, DType::i64)) : self;
  const Expr exponents = indices(e, count);
  if (!is_whole(x)) return power(unsqueeze(x, {x.rank()}), cast(exponents, x.dtype()));
  const Expr multiplied = exponents < unsqueeze(exponents, {1});
  const Expr factors = where(multiplied, unsqueeze(x, {x.rank(), x.rank() + 1}), 1);
  return reduce_product(factors, {x.rank() + 1});
}

Expr linalg_vander(Emit& e, Expr x, std::optional<Dim> n) {
  const Expr line = x.rank() == 0 ? Expr(reshape(x, {1})) : x;
  return powers(e, line, n.value_or(line.dim(-1)));
}
Expr vander(Emit& e, Expr x, std::optional<Dim> n, bool increasing) {
  if (x.rank() != 1) throw ProgramError("the input must have one dimension");
  const Dim count = n.value_or(x.dim(0));
  const Expr out = powers(e, x, count);
  if (increasing) return out;
  return gather(out, count - 1 - indices(e, count), 1);
}

// The factors that make vectors of these lengths at most `limit` long.
Expr shrinking(Expr norm, double limit) {
  constexpr double kNearlyNothing = 1e-7;
  const Expr most = norm.number(limit);
  const Expr scaled = most / (norm + kNearlyNothing);
  return where(norm > most, scaled, 1);
}

Expr renorm(Emit&, Expr self, Scalar p, std::int64_t dim, Scalar maxnorm) {
  if (self.rank() < 2) throw ProgramError("the input must have at least two dimensions");
  if (!is_floating(self.dtype())) throw ProgramError("the input must have a floating-point type");
  Axes others = all_axes(self);
  others.erase(others.begin() + self.wrap(dim));
  const DType inside = self.dtype() == DType::f64 ? DType::f64 : DType::f32;
  const Expr norm = vector_norm(cast(self, inside), known_number(p, "p"), others, true);
  const Expr factor = shrinking(norm, known_number(maxnorm, "maxnorm"));
  return self * cast(factor, self.dtype());
}

constexpr Declaration kVectors[] = {
    op<linalg_vecdot>("aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor",
                      {.doc = "Products of vectors along a dimension."}),
    op<linalg_vander>("aten::linalg_vander(Tensor x, *, int? N=None) -> Tensor",
                      {.doc = "The powers of each element, as a new last dimension."}),
    op<vander>("aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor",
               {.doc = "The powers of each element, one a column."}),
    op<renorm>("aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor",
               {.doc = "The slices of a dimension, made no longer than maxnorm.", .result = Result::same}),
};

}  // namespace

std::span<const Declaration> vectors_ops() { return kVectors; }

}  // namespace cameo::aten
