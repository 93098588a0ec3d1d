// Sums, means, products, variances and questions over dimensions.
#include "aten/reduce.h"

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

// Sums and products of integers and booleans are i64.
onnx::Value* summands(Emit& e, const Tensor& self, std::optional<DType> dtype) {
  if (is_complex(self.dtype())) throw Unsupported("complex numbers are not supported");
  return e.cast(self, dtype.value_or(sum_dtype(self.dtype())));
}

Tensor sum_dim(Emit& e, Tensor self, std::optional<Axes> dim, bool keepdim, std::optional<DType> dtype) {
  return reduce(e, "ReduceSum", summands(e, self, dtype), axes_of(self, dim), keepdim);
}
Tensor sum(Emit& e, Tensor self, std::optional<DType> dtype) {
  return sum_dim(e, self, std::nullopt, false, dtype);
}

Tensor mean_dim(Emit& e, Tensor self, std::optional<Axes> dim, bool keepdim, std::optional<DType> dtype) {
  onnx::Value* x = e.cast(self, dtype.value_or(self.dtype()));
  if (!is_floating(x->dtype())) throw ProgramError("the input must have a floating-point type");
  return reduce(e, "ReduceMean", x, axes_of(self, dim), keepdim);
}
Tensor mean(Emit& e, Tensor self, std::optional<DType> dtype) {
  return mean_dim(e, self, std::nullopt, false, dtype);
}

Tensor prod(Emit& e, Tensor self, std::optional<DType> dtype) {
  return reduce(e, "ReduceProd", summands(e, self, dtype), all_axes(self), false);
}
Tensor prod_dim(Emit& e, Tensor self, std::int64_t dim, bool keepdim, std::optional<DType> dtype) {
  return reduce(e, "ReduceProd", summands(e, self, dtype), axes_of(self, Axes{dim}), keepdim);
}

Tensor without_nan(Emit& e, const Tensor& x) {
  return is_floating(x.dtype()) ? Tensor(compute(e, "Where", {e.op("IsNaN", {x}), like(e, x, 0), x})) : x;
}
Tensor nansum(Emit& e, Tensor self, std::optional<Axes> dim, bool keepdim, std::optional<DType> dtype) {
  return sum_dim(e, without_nan(e, self), dim, keepdim, dtype);
}
Tensor nanmean(Emit& e, Tensor self, std::optional<Axes> dim, bool keepdim, std::optional<DType> dtype) {
  const Tensor x = e.cast(self, dtype.value_or(self.dtype()));
  if (!is_floating(x.dtype())) throw ProgramError("nanthe input must have a floating-point type");
  onnx::Value* numbers = e.cast(e.op("Not", {e.op("IsNaN", {x})}), x.dtype());
  return e.op("Div", {nansum(e, x, dim, keepdim, std::nullopt),
                      reduce(e, "ReduceSum", numbers, axes_of(self, dim), keepdim)});
}

Tensor logsumexp(Emit& e, Tensor self, Axes dim, bool keepdim) {
  return reduce(e, "ReduceLogSumExp", floats(e, self), axes_of(self, dim), keepdim);
}

// Answers are booleans, but bytes where bytes were asked.
Tensor answer(Emit& e, const Tensor& self, onnx::Value* truth) {
  return self.dtype() == DType::u8 ? Tensor(e.cast(truth, DType::u8)) : Tensor(truth);
}
Tensor all(Emit& e, Tensor self) { return answer(e, self, all_of(e, self, all_axes(self), false)); }
Tensor all_dim(Emit& e, Tensor self, std::int64_t dim, bool keepdim) {
  return answer(e, self, all_of(e, self, axes_of(self, Axes{dim}), keepdim));
}
Tensor all_dims(Emit& e, Tensor self, std::optional<Axes> dim, bool keepdim) {
  return answer(e, self, all_of(e, self, axes_of(self, dim), keepdim));
}
Tensor any(Emit& e, Tensor self) { return answer(e, self, any_of(e, self, all_axes(self), false)); }
Tensor any_dim(Emit& e, Tensor self, std::int64_t dim, bool keepdim) {
  return answer(e, self, any_of(e, self, axes_of(self, Axes{dim}), keepdim));
}
Tensor any_dims(Emit& e, Tensor self, std::optional<Axes> dim, bool keepdim) {
  return answer(e, self, any_of(e, self, axes_of(self, dim), keepdim));
}

Tensor count_nonzero_dims(Emit& e, Tensor self, Axes dim) {
  onnx::Value* nonzero = e.cast(e.cast(self, DType::boolean), DType::i64);
  return reduce(e, "ReduceSum", nonzero, axes_of(self, dim), false);
}
Tensor count_nonzero(Emit& e, Tensor self, std::optional<std::int64_t> dim) {
  return count_nonzero_dims(e, self, dim ? Axes{*dim} : Axes{});
}

struct Spread {
  Tensor variance, mean;
};

Spread spread_of(Emit& e, const Tensor& self, const std::optional<Axes>& dim, double correction,
                 bool keepdim) {
  if (!is_floating(self.dtype())) throw ProgramError("the input must have a floating-point type");
  const Axes axes = axes_of(self, dim);
  onnx::Value* mean = reduce(e, "ReduceMean", self, axes, true);
  onnx::Value* squares = reduce(e, "ReduceSumSquare", e.op("Sub", {self, mean}), axes, keepdim);
  const Dim n = count(self, axes);
  onnx::Value* divisor = nullptr;
  if (std::optional<std::int64_t> known = n.as_constant())
    divisor = like(e, squares, std::max(0.0, static_cast<double>(*known) - correction));
  else if (correction == static_cast<double>(static_cast<std::int64_t>(correction)))
    divisor = e.cast(e.dim(sym::max(n - static_cast<std::int64_t>(correction), 0)), self.dtype());
  else
    divisor = e.op("Relu", {e.op("Sub", {e.cast(e.dim(n), self.dtype()), like(e, squares, correction)})});
  return {e.op("Div", {squares, divisor}), keepdim ? mean : e.squeeze(mean, axes)};
}

Tensor rooted(Emit& e, const Tensor& variance) { return e.op("Sqrt", {variance}); }
double correction_of(const std::optional<Scalar>& correction) {
  return correction ? known_number(*correction, "correction") : 1;
}

Tensor var(Emit& e, Tensor self, bool unbiased) {
  return spread_of(e, self, std::nullopt, unbiased, false).variance;
}
Tensor var_dim(Emit& e, Tensor self, std::optional<Axes> dim, bool unbiased, bool keepdim) {
  return spread_of(e, self, dim, unbiased, keepdim).variance;
}
Tensor var_correction(Emit& e, Tensor self, std::optional<Axes> dim, std::optional<Scalar> correction,
                      bool keepdim) {
  return spread_of(e, self, dim, correction_of(correction), keepdim).variance;
}
Tensor std_all(Emit& e, Tensor self, bool unbiased) { return rooted(e, var(e, self, unbiased)); }
Tensor std_dim(Emit& e, Tensor self, std::optional<Axes> dim, bool unbiased, bool keepdim) {
  return rooted(e, var_dim(e, self, dim, unbiased, keepdim));
}
Tensor std_correction(Emit& e, Tensor self, std::optional<Axes> dim, std::optional<Scalar> correction,
                      bool keepdim) {
  return rooted(e, var_correction(e, self, dim, correction, keepdim));
}

template <bool kRoot>
std::vector<Tensor> both(Emit& e, const Spread& s) {
  return {kRoot ? rooted(e, s.variance) : s.variance, s.mean};
}
template <bool kRoot>
std::vector<Tensor> with_mean(Emit& e, Tensor self, bool unbiased) {
  return both<kRoot>(e, spread_of(e, self, std::nullopt, unbiased, false));
}
template <bool kRoot>
std::vector<Tensor> with_mean_dim(Emit& e, Tensor self, std::optional<Axes> dim, bool unbiased,
                                  bool keepdim) {
  return both<kRoot>(e, spread_of(e, self, dim, unbiased, keepdim));
}
template <bool kRoot>
std::vector<Tensor> with_mean_correction(Emit& e, Tensor self, std::optional<Axes> dim,
                                         std::optional<Scalar> correction, bool keepdim) {
  return both<kRoot>(e, spread_of(e, self, dim, correction_of(correction), keepdim));
}

constexpr Declaration kReduction[] = {
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
    op<prod>("aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor",
             {.doc = "The product of all elements."}),
    op<prod_dim>(
        "aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
        {.doc = "Products over a dimension."}),
    op<nansum>("aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "
               "-> Tensor",
               {.doc = "Sums of what is a number."}),
    op<nanmean>("aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "
                "-> Tensor",
                {.doc = "Means of what is a number."}),
    op<logsumexp>("aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
                  {.doc = "log(sum(exp(x))) over dimensions, safe from overflow."}),
    op<all>("aten::all(Tensor self) -> Tensor",
            {.doc = "Whether all elements are true.", .result = Result::boolean}),
    op<all_dim>("aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
                {.doc = "Whether all elements of a dimension are true.", .result = Result::boolean}),
    op<all_dims>("aten::all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
                 {.doc = "Whether all elements of dimensions are true.", .result = Result::boolean}),
    op<any>("aten::any(Tensor self) -> Tensor",
            {.doc = "Whether an element is true.", .result = Result::boolean}),
    op<any_dim>("aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
                {.doc = "Whether an element of a dimension is true.", .result = Result::boolean}),
    op<any_dims>("aten::any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
                 {.doc = "Whether an element of dimensions is true.", .result = Result::boolean}),
    op<count_nonzero_dims>("aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor",
                           {.doc = "How many elements are not 0, over dimensions.", .result = Result::index}),
    op<count_nonzero>("aten::count_nonzero(Tensor self, int? dim=None) -> Tensor",
                      {.doc = "How many elements are not 0.", .result = Result::index}),
    op<var>("aten::var(Tensor self, bool unbiased=True) -> Tensor", {.doc = "The variance of all elements."}),
    op<var_dim>("aten::var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
                {.doc = "Variances over dimensions."}),
    op<var_correction>("aten::var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool "
                       "keepdim=False) -> Tensor",
                       {.doc = "Variances over dimensions; n - correction divides."}),
    op<std_all>("aten::std(Tensor self, bool unbiased=True) -> Tensor",
                {.doc = "The standard deviation of all elements."}),
    op<std_dim>("aten::std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
                {.doc = "Standard deviations over dimensions."}),
    op<std_correction>("aten::std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool "
                       "keepdim=False) -> Tensor",
                       {.doc = "Standard deviations over dimensions; n - correction divides."}),
    op<with_mean<false>>("aten::var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)",
                         {.doc = "The variance and the mean of all elements."}),
    op<with_mean_dim<false>>("aten::var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool "
                             "keepdim=False) -> (Tensor, Tensor)",
                             {.doc = "Variances and means over dimensions."}),
    op<with_mean_correction<false>>("aten::var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? "
                                    "correction=None, bool keepdim=False) -> (Tensor, Tensor)",
                                    {.doc = "Variances and means over dimensions."}),
    op<with_mean<true>>("aten::std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)",
                        {.doc = "The standard deviation and the mean of all elements."}),
    op<with_mean_dim<true>>("aten::std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool "
                            "keepdim=False) -> (Tensor, Tensor)",
                            {.doc = "Standard deviations and means over dimensions."}),
    op<with_mean_correction<true>>("aten::std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? "
                                   "correction=None, bool keepdim=False) -> (Tensor, Tensor)",
                                   {.doc = "Standard deviations and means over dimensions."}),
};

}  // namespace

std::span<const Declaration> reduction_ops() { return kReduction; }

}  // namespace cameo::aten
