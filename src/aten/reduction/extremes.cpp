// The largest and smallest elements, and where they are.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

constexpr const char* reduce_name(bool largest) { return largest ? "ReduceMax" : "ReduceMin"; }

// Ties go to the first, as in PyTorch.
Expr place(Emit& e, const Expr& self, bool largest, std::int64_t axis, bool keepdim) {
  const char* op = largest ? "ArgMax" : "ArgMin";
  onnx::Attributes attributes{{"axis", axis}};
  if (!keepdim) attributes.push_back({"keepdims", std::int64_t{0}});
  return e.op(op, {cast(self, implemented(op, self.dtype()))}, std::move(attributes));
}

template <bool kLargest>
Expr extreme(Emit&, Expr self) {
  return reduce(reduce_name(kLargest), self, all_axes(self), false);
}
template <bool kLargest>
Expr extreme_dims(Emit&, Expr self, Axes dim, bool keepdim) {
  return reduce(reduce_name(kLargest), self, axes_of(self, dim), keepdim);
}
template <bool kLargest>
std::vector<Expr> extreme_dim(Emit& e, Expr self, std::int64_t dim, bool keepdim) {
  const std::int64_t axis = self.wrap(dim);
  if (self.rank() == 0) return {self, e.dim(0)};
  return {reduce(reduce_name(kLargest), self, {axis}, keepdim), place(e, self, kLargest, axis, keepdim)};
}

std::vector<Expr> aminmax(Emit&, Expr self, std::optional<std::int64_t> dim, bool keepdim) {
  if (self.rank() == 0 && dim && keepdim) {
    self.wrap(*dim);
    return {reshape(self, {1}), reshape(self, {1})};
  }
  const Axes axes = axes_of(self, dim ? std::optional(Axes{*dim}) : std::nullopt);
  return {reduce_min(self, axes, keepdim), reduce_max(self, axes, keepdim)};
}

template <bool kLargest>
Expr arg_extreme(Emit& e, Expr self, std::optional<std::int64_t> dim, bool keepdim) {
  if (dim) {
    const std::int64_t axis = self.wrap(*dim);
    return self.rank() == 0 ? Expr(e.dim(0)) : place(e, self, kLargest, axis, keepdim);
  }
  if (self.rank() == 0) return e.dim(0);
  if (self.shape().product().as_constant() == 0) throw ProgramError("the dimension has no elements");
  const Expr flat = reshape(self, {self.shape().product()});
  const Expr at = place(e, flat, kLargest, 0, false);
  return keepdim ? Expr(reshape(at, Shape(self.shape().size(), Dim(1)))) : at;
}

std::vector<Expr> aminmax_all(Emit& e, Expr self) { return aminmax(e, self, std::nullopt, false); }
std::vector<Expr> aminmax_dim(Emit& e, Expr self, std::int64_t dim, bool keepdim) {
  return aminmax(e, self, dim, keepdim);
}

constexpr Declaration kExtremes[] = {
    op<extreme<true>>("aten::max(Tensor self) -> Tensor",
                      {.doc = "The largest element.", .quantized = OnQuantized::integers}),
    op<extreme_dim<true>>(
        "aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
        {.doc = "The largest elements of a dimension, and where they are.",
         .quantized = OnQuantized::integers,
         .result = Result::with_indices}),
    op<extreme<false>>("aten::min(Tensor self) -> Tensor",
                       {.doc = "The smallest element.", .quantized = OnQuantized::integers}),
    op<extreme_dim<false>>(
        "aten::min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
        {.doc = "The smallest elements of a dimension, and where they are.",
         .quantized = OnQuantized::integers,
         .result = Result::with_indices}),
    op<extreme_dims<true>>("aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
                           {.doc = "The largest elements over dimensions."}),
    op<extreme_dims<false>>("aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
                            {.doc = "The smallest elements over dimensions."}),
    op<aminmax>(
        "aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
        {.doc = "The smallest and the largest elements."}),
    op<aminmax_all>("aten::_aminmax(Tensor self) -> (Tensor, Tensor)",
                    {.doc = "The smallest and the largest element."}),
    op<aminmax_dim>("aten::_aminmax.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor, Tensor)",
                    {.doc = "The smallest and the largest elements of a dimension."}),
    op<arg_extreme<true>>(
        "aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
        {.doc = "Where the largest element is; the first of equal ones.", .result = Result::index}),
    op<arg_extreme<false>>(
        "aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
        {.doc = "Where the smallest element is; the first of equal ones.", .result = Result::index}),
};

}  // namespace

std::span<const Declaration> extremes_ops() { return kExtremes; }

}  // namespace cameo::aten
