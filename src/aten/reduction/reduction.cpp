// Sums, means, products, variances and questions over dimensions.
#include "aten/reduce.h"

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

// Sums and products of integers and booleans are i64.
Expr summands(const Expr& self, std::optional<DType> dtype) {
  return cast(self, dtype.value_or(sum_dtype(self.dtype())));
}

Expr sum_dim(Emit&, Expr self, std::optional<Axes> dim, bool keepdim, std::optional<DType> dtype) {
  return reduce_sum(summands(self, dtype), axes_of(self, dim), keepdim);
}
Expr sum(Emit& e, Expr self, std::optional<DType> dtype) {
  return sum_dim(e, self, std::nullopt, false, dtype);
}

Expr mean_dim(Emit&, Expr self, std::optional<Axes> dim, bool keepdim, std::optional<DType> dtype) {
  const Expr x = cast(self, dtype.value_or(self.dtype()));
  if (!is_floating(x->dtype())) throw ProgramError("the input must have a floating-point type");
  return reduce_mean(x, axes_of(self, dim), keepdim);
}
Expr mean(Emit& e, Expr self, std::optional<DType> dtype) {
  return mean_dim(e, self, std::nullopt, false, dtype);
}

Expr prod(Emit&, Expr self, std::optional<DType> dtype) {
  return reduce_product(summands(self, dtype), all_axes(self));
}
Expr prod_dim(Emit&, Expr self, std::int64_t dim, bool keepdim, std::optional<DType> dtype) {
  return reduce_product(summands(self, dtype), axes_of(self, Axes{dim}), keepdim);
}

Expr without_nan(const Expr& x) { return is_floating(x.dtype()) ? Expr(where(is_nan(x), 0, x)) : x; }
Expr nansum(Emit& e, Expr self, std::optional<Axes> dim, bool keepdim, std::optional<DType> dtype) {
  return sum_dim(e, without_nan(self), dim, keepdim, dtype);
}
Expr nanmean(Emit& e, Expr self, std::optional<Axes> dim, bool keepdim, std::optional<DType> dtype) {
  const Expr x = cast(self, dtype.value_or(self.dtype()));
  if (!is_floating(x.dtype())) throw ProgramError("the input must have a floating-point type");
  const Expr numbers = cast(!is_nan(x), x.dtype());
  return nansum(e, x, dim, keepdim, std::nullopt) / reduce_sum(numbers, axes_of(self, dim), keepdim);
}

Expr logsumexp(Emit&, Expr self, Axes dim, bool keepdim) {
  return reduce("ReduceLogSumExp", floats(self), axes_of(self, dim), keepdim);
}

// Answers are booleans, but bytes where bytes were asked.
Expr answer(const Expr& self, Expr truth) {
  return self.dtype() == DType::u8 ? Expr(cast(truth, DType::u8)) : Expr(truth);
}
Expr all(Emit&, Expr self) { return answer(self, all_of(self, all_axes(self), false)); }
Expr all_dim(Emit&, Expr self, std::int64_t dim, bool keepdim) {
  return answer(self, all_of(self, axes_of(self, Axes{dim}), keepdim));
}
Expr all_dims(Emit&, Expr self, std::optional<Axes> dim, bool keepdim) {
  return answer(self, all_of(self, axes_of(self, dim), keepdim));
}
Expr any(Emit&, Expr self) { return answer(self, any_of(self, all_axes(self), false)); }
Expr any_dim(Emit&, Expr self, std::int64_t dim, bool keepdim) {
  return answer(self, any_of(self, axes_of(self, Axes{dim}), keepdim));
}
Expr any_dims(Emit&, Expr self, std::optional<Axes> dim, bool keepdim) {
  return answer(self, any_of(self, axes_of(self, dim), keepdim));
}

Expr count_nonzero_dims(Emit&, Expr self, Axes dim) {
  const Expr nonzero = cast(cast(self, DType::boolean), DType::i64);
  return reduce_sum(nonzero, axes_of(self, dim));
}
Expr count_nonzero(Emit& e, Expr self, std::optional<std::int64_t> dim) {
  return count_nonzero_dims(e, self, dim ? Axes{*dim} : Axes{});
}

struct Spread {
  Expr variance, mean;
};

Spread spread_of(Emit& e, const Expr& self, const std::optional<Axes>& dim, double correction, bool keepdim) {
  if (!is_floating(self.dtype())) throw ProgramError("the input must have a floating-point type");
  const Axes axes = axes_of(self, dim);
  const Expr mean = reduce_mean(self, axes, true);
  const Expr squares = reduce("ReduceSumSquare", self - mean, axes, keepdim);
  const Dim n = count(self, axes);
  Expr divisor = nullptr;
  if (std::optional<std::int64_t> known = n.as_constant())
    divisor = squares.number(std::max(0.0, static_cast<double>(*known) - correction));
  else if (correction == static_cast<double>(static_cast<std::int64_t>(correction)))
    divisor = e.cast(e.dim(sym::max(n - static_cast<std::int64_t>(correction), 0)), self.dtype());
  else
    divisor = relu(e.cast(e.dim(n), self.dtype()) - correction);
  return {squares / divisor, keepdim ? mean : squeeze(mean, axes)};
}

Expr rooted(const Expr& variance) { return sqrt(variance); }
double correction_of(const std::optional<Scalar>& correction) {
  return correction ? known_number(*correction, "correction") : 1;
}

Expr var(Emit& e, Expr self, bool unbiased) {
  return spread_of(e, self, std::nullopt, unbiased, false).variance;
}
Expr var_dim(Emit& e, Expr self, std::optional<Axes> dim, bool unbiased, bool keepdim) {
  return spread_of(e, self, dim, unbiased, keepdim).variance;
}
Expr var_correction(Emit& e, Expr self, std::optional<Axes> dim, std::optional<Scalar> correction,
                    bool keepdim) {
  return spread_of(e, self, dim, correction_of(correction), keepdim).variance;
}
Expr std_all(Emit& e, Expr self, bool unbiased) { return rooted(var(e, self, unbiased)); }
Expr std_dim(Emit& e, Expr self, std::optional<Axes> dim, bool unbiased, bool keepdim) {
  return rooted(var_dim(e, self, dim, unbiased, keepdim));
}
Expr std_correction(Emit& e, Expr self, std::optional<Axes> dim, std::optional<Scalar> correction,
                    bool keepdim) {
  return rooted(var_correction(e, self, dim, correction, keepdim));
}

template <bool kRoot>
std::vector<Expr> both(Emit&, const Spread& s) {
  return {kRoot ? rooted(s.variance) : s.variance, s.mean};
}
template <bool kRoot>
std::vector<Expr> with_mean(Emit& e, Expr self, bool unbiased) {
  return both<kRoot>(e, spread_of(e, self, std::nullopt, unbiased, false));
}
template <bool kRoot>
std::vector<Expr> with_mean_dim(Emit& e, Expr self, std::optional<Axes> dim, bool unbiased, bool keepdim) {
  return both<kRoot>(e, spread_of(e, self, dim, unbiased, keepdim));
}
template <bool kRoot>
std::vector<Expr> with_mean_correction(Emit& e, Expr self, std::optional<Axes> dim,
                                       std::optional<Scalar> correction, bool keepdim) {
  return both<kRoot>(e, spread_of(e, self, dim, correction_of(correction), keepdim));
}

constexpr Declaration kReduction[] = {
    op<sum>("aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor",
            {.doc = "The sum of all elements.", .complex = OnComplex::by_parts}),
    op<sum_dim>("aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? "
                "dtype=None) -> Tensor",
                {.doc = "Sums over dimensions.", .complex = OnComplex::by_parts}),
    op<mean>("aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor",
             {.doc = "The mean of all elements.",
              .complex = OnComplex::by_parts,
              .quantized = OnQuantized::requantized}),
    op<mean_dim>(
        "aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
        {.doc = "Means over dimensions.",
         .complex = OnComplex::by_parts,
         .quantized = OnQuantized::requantized}),
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
                  {.doc = "log(sum(exp(x))) over dimensions, safe from overflow.",
                   .aliases = {"aten::special_logsumexp"}}),
    op<all>("aten::all(Tensor self) -> Tensor", {.doc = "Whether all elements are true.",
                                                 .aliases = {"aten::_is_all_true"},
                                                 .result = Result::boolean}),
    op<all_dim>("aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
                {.doc = "Whether all elements of a dimension are true.", .result = Result::boolean}),
    op<all_dims>("aten::all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
                 {.doc = "Whether all elements of dimensions are true.", .result = Result::boolean}),
    op<any>(
        "aten::any(Tensor self) -> Tensor",
        {.doc = "Whether an element is true.", .aliases = {"aten::_is_any_true"}, .result = Result::boolean}),
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
                {.doc = "The standard deviation of all elements.", .quantized = OnQuantized::requantized}),
    op<std_dim>("aten::std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
                {.doc = "Standard deviations over dimensions.", .quantized = OnQuantized::requantized}),
    op<std_correction>("aten::std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool "
                       "keepdim=False) -> Tensor",
                       {.doc = "Standard deviations over dimensions; n - correction divides.",
                        .quantized = OnQuantized::requantized}),
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
