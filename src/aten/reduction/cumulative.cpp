// Running sums, products and extremes, and their inverse: differences of neighbours.
#include <cmath>
#include <limits>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Tensor cumsum(Emit& e, Tensor self, std::int64_t dim, std::optional<DType> dtype) {
  const std::int64_t axis = self.wrap(dim);
  onnx::Value* x = e.cast(self, dtype.value_or(sum_dtype(self.dtype())));
  if (self.rank() == 0) return x;
  onnx::Value* sums = e.op("CumSum", {e.cast(x, implemented("CumSum", x->dtype())), e.dim(axis)});
  return e.cast(sums, x->dtype());
}

// One more dimension after `axis`, along which every position sees itself and what precedes it; `rest` stands
// for what follows.
Tensor histories(Emit& e, const Tensor& x, std::int64_t axis, double rest) {
  const Dim n = x.dim(axis);
  onnx::Value* positions = indices(e, n);
  onnx::Value* seen = e.op("LessOrEqual", {positions, e.unsqueeze(positions, {1})});
  Axes trailing;
  for (std::int64_t i = axis + 1; i < x.rank(); ++i) trailing.push_back(i - axis + 1);
  return compute(e, "Where", {e.unsqueeze(seen, trailing), e.unsqueeze(x, {axis}), like(e, x, rest)});
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

Tensor cumprod(Emit& e, Tensor self, std::int64_t dim, std::optional<DType> dtype) {
  const std::int64_t axis = self.wrap(dim);
  Tensor x = e.cast(self, dtype.value_or(sum_dtype(self.dtype())));
  if (self.rank() == 0) return x;
  if (numel(e, x).as_constant() == 0) return x;
  if (x.dtype() == DType::f64) return product_by_steps(e, x, axis, true);
  return reduce(e, "ReduceProd", histories(e, x, axis, 1), {axis + 1}, false);
}

Tensor logcumsumexp(Emit& e, Tensor self, std::int64_t dim) {
  const std::int64_t axis = self.wrap(dim);
  Tensor x = floats(e, self);
  if (self.rank() == 0) return x;
  return reduce(e, "ReduceLogSumExp", histories(e, x, axis, lowest(x.dtype())), {axis + 1}, false);
}

// Among equal elements the last one counts.
template <bool kLargest>
std::vector<Tensor> running_extreme(Emit& e, Tensor self, std::int64_t dim) {
  const std::int64_t axis = self.wrap(dim);
  if (self.rank() == 0) return {self, e.dim(0)};
  const DType inside = implemented(kLargest ? "ReduceMax" : "ReduceMin", self.dtype());
  const Tensor seen = histories(e, e.cast(self, inside), axis, kLargest ? lowest(inside) : highest(inside));
  onnx::Value* values = reduce(e, kLargest ? "ReduceMax" : "ReduceMin", seen, {axis + 1}, false);
  onnx::Value* at =
      e.op(kLargest ? "ArgMax" : "ArgMin", {seen},
           {{"axis", axis + 1}, {"keepdims", std::int64_t{0}}, {"select_last_index", std::int64_t{1}}});
  // What stands for what follows may equal all that was seen: then the last one is where it is looked from.
  const auto behind = static_cast<std::size_t>(self.rank() - axis - 1);
  Shape column(behind + 1, Dim(1));
  column[0] = self.dim(axis);
  onnx::Value* here = e.reshape(indices(e, self.dim(axis)), column);
  return {e.cast(values, self.dtype()), e.op("Min", {at, here})};
}

Tensor diff(Emit& e, Tensor self, std::int64_t n, std::int64_t dim, std::optional<Tensor> prepend,
            std::optional<Tensor> append) {
  if (self.rank() == 0) throw ProgramError("the input must have at least one dimension");
  const std::int64_t axis = self.wrap(dim);
  if (n == 0) return self;
  std::vector<Operand> all{self};
  if (prepend) all.insert(all.begin(), *prepend);
  if (append) all.push_back(*append);
  const DType dtype = result_type(all);
  std::vector<onnx::Value*> parts;
  for (const Operand& part : all) parts.push_back(as(e, part, dtype));
  Tensor x = e.concat(parts, axis);
  for (std::int64_t i = 0; i < n; ++i) {
    const Dim size = x.dim(axis);
    onnx::Value* later = e.slice(x, axis, 1, size);
    onnx::Value* earlier = e.slice(x, axis, 0, size - 1);
    x = e.op(dtype == DType::boolean ? "Xor" : "Sub", {later, earlier});
  }
  return x;
}

constexpr Declaration kCumulative[] = {
    op<cumsum>("aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
               {.doc = "Running sums along a dimension."}),
    op<cumprod>("aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
                {.doc = "Running products along a dimension; work and memory grow with its square."}),
    op<logcumsumexp>(
        "aten::logcumsumexp(Tensor self, int dim) -> Tensor",
        {.doc = "log of running sums of exp(x) along a dimension; work and memory grow with its square."}),
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
        {.doc = "Differences of neighbours, taken n times."}),
};

}  // namespace

std::span<const Declaration> cumulative_ops() { return kCumulative; }

}  // namespace cameo::aten
