// Vectors: their products, their powers, and their lengths held down.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using onnx::Value;

Tensor linalg_vecdot(Emit& e, Tensor x, Tensor y, std::int64_t dim) {
  if (!is_floating(x.dtype()) || x.dtype() != y.dtype())
    throw ProgramError("the tensors must have one floating-point type");
  const Tensor products = e.op("Mul", {x, y});
  return reduce(e, "ReduceSum", products, {products.wrap(dim)}, false);
}

// x^0, x^1, … as a new last dimension. Integers are multiplied exactly.
Tensor powers(Emit& e, const Tensor& self, const Dim& count) {
  const Tensor x = is_whole(self) ? Tensor(e.cast(self, DType::i64)) : self;
  Value* exponents = indices(e, count);
  if (!is_whole(x)) return compute(e, "Pow", {e.unsqueeze(x, {x.rank()}), e.cast(exponents, x.dtype())});
  Value* multiplied = e.op("Less", {exponents, e.unsqueeze(exponents, {1})});
  Value* factors = e.op("Where", {multiplied, e.unsqueeze(x, {x.rank(), x.rank() + 1}), e.dim(1)});
  return reduce(e, "ReduceProd", factors, {x.rank() + 1}, false);
}

Tensor linalg_vander(Emit& e, Tensor x, std::optional<Dim> n) {
  const Tensor line = x.rank() == 0 ? Tensor(e.reshape(x, {1})) : x;
  return powers(e, line, n.value_or(line.dim(-1)));
}
Tensor vander(Emit& e, Tensor x, std::optional<Dim> n, bool increasing) {
  if (x.rank() != 1) throw ProgramError("the input must have one dimension");
  const Dim count = n.value_or(x.dim(0));
  Tensor out = powers(e, x, count);
  if (increasing) return out;
  return e.gather(out, e.op("Sub", {e.dim(count - 1), indices(e, count)}), 1);
}

// What makes vectors of these lengths no longer than `limit`.
Value* shrinking(Emit& e, Value* norm, double limit) {
  constexpr double kNearlyNothing = 1e-7;
  Value* most = like(e, norm, limit);
  Value* scaled = e.op("Div", {most, e.op("Add", {norm, like(e, norm, kNearlyNothing)})});
  return compute(e, "Where", {e.op("Greater", {norm, most}), scaled, like(e, norm, 1)});
}

Tensor renorm(Emit& e, Tensor self, Scalar p, std::int64_t dim, Scalar maxnorm) {
  if (self.rank() < 2) throw ProgramError("the input must have at least two dimensions");
  if (!is_floating(self.dtype())) throw ProgramError("the input must have a floating-point type");
  Axes others = all_axes(self);
  others.erase(others.begin() + self.wrap(dim));
  const DType inside = self.dtype() == DType::f64 ? DType::f64 : DType::f32;
  Value* norm = vector_norm(e, e.cast(self, inside), known_number(p, "p"), others, true);
  Value* factor = shrinking(e, norm, known_number(maxnorm, "maxnorm"));
  return e.op("Mul", {self, e.cast(factor, self.dtype())});
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
