// Reductions of PyTorch's primitive operators (prims): over given dimensions, in the dtype of the input.
#include "aten/families.h"
#include "aten/reduce.h"

namespace cameo::aten {
namespace {

using MaybeAxes = std::optional<Axes>;
using MaybeDType = std::optional<DType>;

// No dimension is reduced if the list is empty; all are if there is no list.
Axes given_axes(const Expr& inp, const MaybeAxes& dims) {
  return dims && dims->empty() ? Axes{} : axes_of(inp, dims);
}

template <Expr (*Reduce)(const Expr&, const Axes&, bool)>
Expr reduced(Emit&, Expr inp, MaybeAxes dims, MaybeDType output_dtype) {
  const Axes axes = given_axes(inp, dims);
  if (axes.empty()) return cast(inp, output_dtype.value_or(inp.dtype()));
  return cast(Reduce(inp, axes, false), output_dtype.value_or(inp.dtype()));
}

Expr variance(Emit& e, Expr inp, MaybeAxes dims, std::optional<double> correction, MaybeDType output_dtype) {
  const Axes axes = given_axes(inp, dims);
  const Expr deviations = inp - reduce_mean(inp, axes, true);
  const Expr squares = reduce("ReduceSumSquare", deviations, axes, false);
  const Expr elements = e.cast(e.dim(count(inp, axes)), inp.dtype());
  const Expr divisor = relu(elements - correction.value_or(1));
  return cast(squares / divisor, output_dtype.value_or(inp.dtype()));
}

constexpr Declaration kPrimReduction[] = {
    op<reduced<reduce_sum>>("prims::sum(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor",
                            {.doc = "Sums over dimensions.", .complex = OnComplex::by_parts}),
    op<reduced<reduce_product>>(
        "prims::prod(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor",
        {.doc = "Products over dimensions."}),
    op<reduced<reduce_max>>(
        "prims::amax(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor",
        {.doc = "The largest elements over dimensions."}),
    op<reduced<reduce_min>>(
        "prims::amin(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor",
        {.doc = "The smallest elements over dimensions."}),
    op<variance>("prims::var(Tensor inp, int[]? dims, float? correction=1, *, ScalarType? "
                 "output_dtype=None) -> Tensor",
                 {.doc = "Variances over dimensions; n - correction divides."}),
};

}  // namespace

std::span<const Declaration> prim_reduction_ops() { return kPrimReduction; }

}  // namespace cameo::aten
