// quantized_decomposed: scales and zero points that depend on the elements.
#include <limits>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/quantized/fake_grid.h"

namespace cameo::aten {
namespace {

Expr tensor_extreme(Emit& e, const char* op, const Expr& x) {
  const Expr whole = compute(e, op, {x}, {{"keepdims", std::int64_t{0}}});
  return reshape(whole, {Dim(1)});
}
Expr row_extreme(Emit& e, const char* op, const Expr& x) {
  return compute(e, op, {x, e.ints({-1})}, {{"keepdims", std::int64_t{1}}});
}

// Both results have one element.
std::vector<Expr> choose_qparams(Emit& e, Expr input, std::int64_t quant_min, std::int64_t quant_max,
                                 double eps, Ignored) {
  const double bottom = static_cast<double>(quant_min), top = static_cast<double>(quant_max);
  const Expr least = minimum(tensor_extreme(e, "ReduceMin", input), 0);
  const Expr most = maximum(tensor_extreme(e, "ReduceMax", input), 0);
  const Expr scale = maximum((most - least) / (top - bottom), eps);
  const Expr zero = clip(bottom - round(least / scale), bottom, top);
  return {cast(scale, DType::f64), cast(zero, DType::i64)};
}

std::vector<Expr> choose_symmetric(Emit& e, Expr input, std::int64_t quant_min, std::int64_t quant_max,
                                   double eps, DType dtype) {
  const Expr least = minimum(tensor_extreme(e, "ReduceMin", input), 0);
  const Expr most = maximum(tensor_extreme(e, "ReduceMax", input), 0);
  const Expr scale = maximum(maximum(-least, most) / (static_cast<double>(quant_max - quant_min) / 2), eps);
  const std::int64_t middle = dtype == DType::u8 ? 128 : 0;
  return {cast(scale, DType::f64), filled(e.scalar(DType::i64, middle), {Dim(1)})};
}

std::vector<Expr> choose_per_token(Emit& e, Expr input, DType dtype) {
  if (dtype != DType::i8) throw Unsupported("only integers of type i8 have a scale per token");
  Expr largest = row_extreme(e, "ReduceMax", abs(input));
  if (largest.dtype() == DType::f16) largest = cast(largest, DType::f32);
  const Expr scale = maximum(largest, 1e-5) / 127;
  return {scale, filled_like(scale.number(0), scale)};
}

std::vector<Expr> choose_per_token_asymmetric(Emit& e, Expr input, Ignored) {
  const Expr least = minimum(row_extreme(e, "ReduceMin", input), 0);
  const Expr most = maximum(row_extreme(e, "ReduceMax", input), 0);
  const Expr scale =
      maximum((most - least) / 255, static_cast<double>(std::numeric_limits<float>::epsilon()));
  const Expr below = least / scale, above = most / scale;
  const Expr from_least = below - 128, from_most = above + 127;
  const Expr zero = where(from_least + from_most > 0, -128 - below, 127 - above);
  return {cast(scale, DType::f64), cast(round(clip(zero, -128, 127)), DType::i64)};
}

constexpr Declaration kDecomposedParameters[] = {
    op<choose_qparams>(
        "quantized_decomposed::choose_qparams.tensor(Tensor input, int quant_min, int quant_max, float eps, "
        "ScalarType dtype) -> (Tensor, Tensor)",
        {.doc = "Scale and zero point for the elements.",
         .sample = "quant_min=-128, quant_max=127, eps=0.00001, dtype=1",
         .result = Result::unknown}),
    op<choose_symmetric>("quantized_decomposed::choose_qparams_symmetric.tensor(Tensor input, int quant_min, "
                         "int quant_max, float eps, "
                         "ScalarType dtype) -> (Tensor, Tensor)",
                         {.doc = "Scale and zero point for the elements, symmetric around zero.",
                          .sample = "quant_min=-127, quant_max=127, eps=0.00001, dtype=1",
                          .result = Result::unknown}),
    op<choose_per_token>(
        "quantized_decomposed::choose_qparams_per_token(Tensor input, ScalarType dtype) -> (Tensor, Tensor)",
        {.doc = "A scale for each row.", .sample = "dtype=1", .result = Result::unknown}),
    op<choose_per_token_asymmetric>(
        "quantized_decomposed::choose_qparams_per_token_asymmetric(Tensor input, ScalarType dtype) -> "
        "(Tensor, Tensor)",
        {.doc = "Scale and zero point for each row.",
         .aliases = {"quantized_decomposed::_choose_qparams_per_token_asymmetric_impl"},
         .sample = "dtype=1",
         .result = Result::unknown}),
};

}  // namespace

std::span<const Declaration> decomposed_parameters_ops() { return kDecomposedParameters; }

}  // namespace cameo::aten
