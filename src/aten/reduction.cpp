// Sums, means and extremes over dimensions.
#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Axes = std::vector<std::int64_t>;

// Sums of integers and booleans are i64.
DType sum_dtype(DType dtype) { return is_floating(dtype) || is_complex(dtype) ? dtype : DType::i64; }

Tensor reduce(Emit& e, const char* op, onnx::Value* x, const Axes& axes, bool keepdim) {
  return e.op(op, {x, e.ints(axes)}, {{"keepdims", std::int64_t{keepdim}}});
}

Axes axes_of(const Tensor& self, const std::optional<Axes>& dim) {
  return !dim || dim->empty() ? all_axes(self) : self.rank() == 0 ? Axes{} : wrap_axes(self, *dim);
}

Tensor sum_dim(Emit& e, Tensor self, std::optional<Axes> dim, bool keepdim, std::optional<DType> dtype) {
  onnx::Value* x = e.cast(self, dtype.value_or(sum_dtype(self.dtype())));
  const Axes axes = axes_of(self, dim);
  return axes.empty() ? Tensor(x) : reduce(e, "ReduceSum", x, axes, keepdim);
}
Tensor sum(Emit& e, Tensor self, std::optional<DType> dtype) {
  return sum_dim(e, self, std::nullopt, false, dtype);
}

Tensor mean_dim(Emit& e, Tensor self, std::optional<Axes> dim, bool keepdim, std::optional<DType> dtype) {
  onnx::Value* x = e.cast(self, dtype.value_or(self.dtype()));
  if (!is_floating(x->dtype())) throw ProgramError("mean(): the dtype must be floating");
  const Axes axes = axes_of(self, dim);
  return axes.empty() ? Tensor(x) : reduce(e, "ReduceMean", x, axes, keepdim);
}
Tensor mean(Emit& e, Tensor self, std::optional<DType> dtype) {
  return mean_dim(e, self, std::nullopt, false, dtype);
}

constexpr Op kReduction[] = {
    op<sum>("aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor",
            {.doc = "The sum of all elements."}),
    op<sum_dim>("aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? "
                "dtype=None) -> Tensor",
                {.doc = "Sums over dimensions."}),
    op<mean>("aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor",
             {.doc = "The mean of all elements."}),
    op<mean_dim>(
        "aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
        {.doc = "Means over dimensions."}),
};

}  // namespace

std::span<const Op> reduction_ops() { return kReduction; }

}  // namespace cameo::aten
