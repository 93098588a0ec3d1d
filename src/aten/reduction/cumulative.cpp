// Running sums, products and extremes, and their inverse: differences of neighbours.
#include <cmath>
#include <limits>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Expr cumsum(Emit&, Expr self, std::int64_t dim, std::optional<DType> dtype) {
  const std::int64_t axis = self.wrap(dim);
  const Expr x = cast(self, dtype.value_or(sum_dtype(self.dtype())));
  if (self.rank() == 0) return x;
  const Expr sums = cumulative_sum(cast(x, implemented("CumSum", x->dtype())), axis);
  return cast(sums, x->dtype());
}

// One more dimension after `axis`, along which every position sees itself and what precedes it; `rest` stands
// for what follows.
Expr histories(Emit& e, const Expr& x, std::int64_t axis, double rest) {
  const Dim n = x.dim(axis);
  const Expr positions = indices(e, n);
  const Expr seen = positions <= unsqueeze(positions, {1});
  Axes trailing;
  for (std::int64_t i = axis + 1; i < x.rank(); ++i) trailing.push_back(i - axis + 1);
  return where(unsqueeze(seen, trailing), unsqueeze(x, {axis}), rest);
}

double lowest(DType dtype) {
  if (is_floating(dtype)) return -std::numeric_limits<double>::infinity();
  return dtype == DType::u8 || dtype == DType::boolean
             ? 0
             : -std::ldexp(1.0, 8 * static_cast<int>(size_of(dtype)) - 1);
}
double highest(DType dtype) {
  if (is_floating(dtype)) return std::numeric_limits<double>::infinity();
  if (dtype == DType::boolean) return 1;
  return std::ldexp(1.0, 8 * static_cast<int>(size_of(dtype)) - (dtype == DType::u8 ? 0 : 1)) - 1;
}

Expr cumprod(Emit& e, Expr self, std::int64_t dim, std::optional<DType> dtype) {
  const std::int64_t axis = self.wrap(dim);
  const Expr x = cast(self, dtype.value_or(sum_dtype(self.dtype())));
  if (self.rank() == 0) return x;
  if (x.shape().product().as_constant() == 0) return x;
  if (x.dtype() == DType::f64) return product_by_steps(x, axis, true);
  return reduce_product(histories(e, x, axis, 1), {axis + 1});
}

Expr logcumsumexp(Emit& e, Expr self, std::int64_t dim) {
  const std::int64_t axis = self.wrap(dim);
  const Expr x = floats(self);
  if (self.rank() == 0) return x;
  return reduce("ReduceLogSumExp", histories(e, x, axis, lowest(x.dtype())), {axis + 1}, false);
}

// Among equal elements the last one counts.
template <bool kLargest>
std::vector<Expr> running_extreme(Emit& e, Expr self, std::int64_t dim) {
  const std::int64_t axis = self.wrap(dim);
  if (self.rank() == 0) return {self, e.dim(0)};
  const DType inside = implemented(kLargest ? "ReduceMax" : "ReduceMin", self.dtype());
  const Expr seen = histories(e, cast(self, inside), axis, kLargest ? lowest(inside) : highest(inside));
  const Expr values = reduce(kLargest ? "ReduceMax" : "ReduceMin", seen, {axis + 1}, false);
  const Expr at =
      e.op(kLargest ? "ArgMax" : "ArgMin", {seen},
           {{"axis", axis + 1}, {"keepdims", std::int64_t{0}}, {"select_last_index", std::int64_t{1}}});
  // The placeholder for later elements may equal all elements so far: the last index is then the current
  // position.
  Shape column = Shape::filled(self.rank() - axis, 1);
  column[0] = self.dim(axis);
  const Expr here = reshape(indices(e, self.dim(axis)), column);
  return {cast(values, self.dtype()), minimum(at, here)};
}

Expr diff(Emit& e, Expr self, std::int64_t n, std::int64_t dim, std::optional<Expr> prepend,
          std::optional<Expr> append) {
  if (self.rank() == 0) throw ProgramError("the input must have at least one dimension");
  const std::int64_t axis = self.wrap(dim);
  if (n == 0) return self;
  std::vector<Operand> all{self};
  if (prepend) all.insert(all.begin(), *prepend);
  if (append) all.push_back(*append);
  const DType dtype = result_type(all);
  std::vector<Expr> parts;
  for (const Operand& part : all) parts.push_back(as(e, part, dtype));
  Expr x = concat(parts, axis);
  for (std::int64_t i = 0; i < n; ++i) {
    const Dim size = x.dim(axis);
    const Expr later = slice(x, axis, 1, size);
    const Expr earlier = slice(x, axis, 0, size - 1);
    x = e.op(dtype == DType::boolean ? "Xor" : "Sub", {later, earlier});
  }
  return x;
}

constexpr Declaration kCumulative[] = {
    op<cumsum>("aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
               {.doc = "Running sums along a dimension.", .complex = OnComplex::by_parts}),
    op<cumprod>("aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
                {.doc = "Running products along a dimension; work and memory grow with its square."}),
    op<logcumsumexp>(
        "aten::logcumsumexp(Tensor self, int dim) -> Tensor",
        {.doc = "log of running sums of exp(x) along a dimension; work and memory grow with its square.",
         .aliases = {"aten::_logcumsumexp"}}),
    op<running_extreme<true>>(
        "aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)",
        {.doc = "The largest so far along a dimension; work and memory grow with its square.",
         .result = Result::with_indices}),
    op<running_extreme<false>>(
        "aten::cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)",
        {.doc = "The smallest so far along a dimension; work and memory grow with its square.",
         .result = Result::with_indices}),
    op<diff>(
        "aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor",
        {.doc = "Differences of neighbours, taken n times.", .complex = OnComplex::by_parts}),
};

}  // namespace

std::span<const Declaration> cumulative_ops() { return kCumulative; }

}  // namespace cameo::aten
