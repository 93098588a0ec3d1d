// quantized_decomposed: the operators of PyTorch 2's quantisation, on tensors of integers.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/quantized/fake_grid.h"

namespace cameo::aten {
namespace {

using OptionalType = std::optional<DType>;

Grid decomposed_grid(Emit& e, const Scalar& scale, std::int64_t zero_point, std::int64_t least,
                     std::int64_t most) {
  return {as(e, scale, DType::f32), e.scalar(DType::i64, zero_point), std::nullopt, least, most};
}

std::optional<std::int64_t> known_limit(const Expr& limit) {
  if (const auto known = known_number(as_number(limit))) return static_cast<std::int64_t>(*known);
  return std::nullopt;
}

Expr zeros_for(Emit& e, const std::optional<Expr>& zero_points, const Expr& scales) {
  if (zero_points) return *zero_points;
  return filled(e.scalar(DType::i32, std::int64_t{0}), scales.shape());
}

Expr decomposed_per_tensor(Emit& e, Expr input, Scalar scale, std::int64_t zero_point, std::int64_t quant_min,
                           std::int64_t quant_max, DType dtype) {
  return grid_integers(e, input, decomposed_grid(e, scale, zero_point, quant_min, quant_max), dtype);
}
Expr quantize_by_tensors(Emit& e, Expr input, Expr scale, Expr zero_point, std::int64_t quant_min,
                         std::int64_t quant_max, DType dtype) {
  return grid_integers(e, input, {scale, zero_point, std::nullopt, quant_min, quant_max}, dtype);
}
Expr quantize_all_tensors(Emit& e, Expr input, Expr scale, Expr zero_point, Expr quant_min, Expr quant_max,
                          DType dtype) {
  const auto least = known_limit(quant_min), most = known_limit(quant_max);
  if (least && most) return quantize_by_tensors(e, input, scale, zero_point, *least, *most, dtype);
  const auto number = [](const Expr& x) { return cast(as_number(x), DType::f32); };
  const Expr integers = round(cast(input, DType::f32) * reciprocal(number(scale))) + number(zero_point);
  return cast(minimum(maximum(integers, number(quant_min)), number(quant_max)), dtype);
}
Expr quantize_channels(Emit& e, Expr input, Expr scales, Expr zero_points, std::int64_t axis,
                       std::int64_t quant_min, std::int64_t quant_max, DType dtype) {
  return grid_integers(e, input, {scales, zero_points, axis, quant_min, quant_max}, dtype);
}

Expr decomposed_numbers(Emit& e, Expr input, Scalar scale, std::int64_t zero_point, std::int64_t quant_min,
                        std::int64_t quant_max, Ignored, OptionalType out_dtype) {
  return grid_values(e, input, decomposed_grid(e, scale, zero_point, quant_min, quant_max),
                     out_dtype.value_or(DType::f32));
}
Expr dequantize_by_tensors(Emit& e, Expr input, Expr scale, Expr zero_point, std::int64_t quant_min,
                           std::int64_t quant_max, Ignored, OptionalType out_dtype) {
  return grid_values(e, input, {scale, zero_point, std::nullopt, quant_min, quant_max},
                     out_dtype.value_or(DType::f32));
}
Expr dequantize_all_tensors(Emit& e, Expr input, Expr scale, Expr zero_point, Expr, Expr, Ignored,
                            OptionalType out_dtype) {
  return grid_values(e, input, {scale, zero_point, std::nullopt, 0, 0}, out_dtype.value_or(DType::f32));
}
Expr dequantize_channels(Emit& e, Expr input, Expr scales, std::optional<Expr> zero_points, std::int64_t axis,
                         std::int64_t quant_min, std::int64_t quant_max, Ignored, OptionalType out_dtype) {
  return grid_values(e, input, {scales, zeros_for(e, zero_points, scales), axis, quant_min, quant_max},
                     out_dtype.value_or(DType::f32));
}

Expr fake_quantize_channels(Emit& e, Expr input, Expr scales, Expr zero_points, std::int64_t axis,
                            std::int64_t quant_min, std::int64_t quant_max) {
  return fake_quantized(e, input, {scales, zero_points, axis, quant_min, quant_max});
}

// A row of scales and zero points per token: round(x / scale + zero_point), in the type of the scales.
Expr quantize_per_token(Emit& e, Expr input, Expr scales, Expr zero_points, std::int64_t quant_min,
                        std::int64_t quant_max, DType dtype) {
  const Operands product = operands(e, input, Expr(reciprocal(scales)));
  const Operands sum = operands(e, Expr(product.a * product.b), zero_points);
  return cast(clip(round(sum.a + sum.b), static_cast<double>(quant_min), static_cast<double>(quant_max)),
              dtype);
}
Expr dequantize_per_token(Emit& e, Expr input, Expr scales, Expr zero_points, Ignored, Ignored, Ignored,
                          DType output_dtype) {
  const Operands difference = operands(e, input, zero_points);
  const Operands product = operands(e, Expr(difference.a - difference.b), scales);
  return cast(product.a * product.b, output_dtype);
}

Expr convert_no_fuse(Emit&, Expr input, DType dtype) { return cast(input, dtype); }

constexpr Declaration kDecomposedQuantize[] = {
    op<decomposed_per_tensor>("quantized_decomposed::quantize_per_tensor(Tensor input, float scale, int "
                              "zero_point, int quant_min, int "
                              "quant_max, ScalarType dtype) -> Tensor",
                              {.doc = "Integers for numbers, with one scale.",
                               .sample = "scale=0.1, zero_point=3, quant_min=-128, quant_max=127, dtype=1",
                               .result = Result::unknown}),
    op<quantize_by_tensors>(
        "quantized_decomposed::quantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int "
        "quant_min, int quant_max, ScalarType dtype) -> Tensor",
        {.doc = "Integers for numbers, with one scale.",
         .sample = "scale=f32[1], zero_point=i64[1], quant_min=-128, quant_max=127, dtype=1",
         .result = Result::unknown}),
    op<quantize_all_tensors>("quantized_decomposed::quantize_per_tensor.tensor2(Tensor input, Tensor scale, "
                             "Tensor zero_point, Tensor "
                             "quant_min, Tensor quant_max, ScalarType dtype) -> Tensor",
                             {.doc = "Integers for numbers, with one scale.",
                              .sample = "scale=f32[1], zero_point=i64[1], dtype=1",
                              .result = Result::unknown}),
    op<quantize_channels>("quantized_decomposed::quantize_per_channel(Tensor input, Tensor scales, Tensor "
                          "zero_points, int axis, int "
                          "quant_min, int quant_max, ScalarType dtype) -> Tensor",
                          {.doc = "Integers for numbers, with a scale per channel.",
                           .sample = "input=f32[6,4], scales=f32[6], zero_points=i64[6], axis=0, "
                                     "quant_min=-128, quant_max=127, dtype=1",
                           .result = Result::unknown}),
    op<decomposed_numbers>(
        "quantized_decomposed::dequantize_per_tensor(Tensor input, float scale, int zero_point, int "
        "quant_min, int "
        "quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
        {.doc = "Numbers of integers, with one scale.",
         .sample = "input=i8[6,4], scale=0.1, zero_point=3, quant_min=-128, quant_max=127, dtype=1",
         .result = Result::unknown}),
    op<dequantize_by_tensors>(
        "quantized_decomposed::dequantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, "
        "int "
        "quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
        {.doc = "Numbers of integers, with one scale.",
         .sample = "input=i8[6,4], scale=f32[1], zero_point=i64[1], quant_min=-128, quant_max=127, dtype=1",
         .result = Result::unknown}),
    op<dequantize_all_tensors>(
        "quantized_decomposed::dequantize_per_tensor.tensor2(Tensor input, Tensor scale, Tensor zero_point, "
        "Tensor "
        "quant_min, Tensor quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
        {.doc = "Numbers of integers, with one scale.",
         .sample = "input=i8[6,4], scale=f32[1], zero_point=i64[1], dtype=1",
         .result = Result::unknown}),
    op<dequantize_channels>(
        "quantized_decomposed::dequantize_per_channel(Tensor input, Tensor scales, Tensor? zero_points, int "
        "axis, int "
        "quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
        {.doc = "Numbers of integers, with a scale per channel.",
         .sample = "input=i8[6,4], scales=f32[6], zero_points=i64[6], axis=0, quant_min=-128, quant_max=127, "
                   "dtype=1",
         .result = Result::unknown}),
    op<fake_quantize_channels>(
        "quantized_decomposed::fake_quant_per_channel(Tensor input, Tensor scales, Tensor zero_points, int "
        "axis, int "
        "quant_min, int quant_max) -> Tensor",
        {.doc = "Rounds to the values of quantised numbers, with a scale per channel.",
         .sample =
             "input=f32[6,4], scales=f32[6], zero_points=i64[6], axis=0, quant_min=-128, quant_max=127"}),
    op<quantize_per_token>("quantized_decomposed::quantize_per_token(Tensor input, Tensor scales, Tensor "
                           "zero_points, int quant_min, int "
                           "quant_max, ScalarType dtype) -> Tensor",
                           {.doc = "Integers for numbers, with a scale per row.",
                            .sample = "input=f32[batch,4], scales=f32[batch,1], zero_points=f32[batch,1], "
                                      "quant_min=-128, quant_max=127, "
                                      "dtype=1",
                            .result = Result::unknown}),
    op<dequantize_per_token>("quantized_decomposed::dequantize_per_token(Tensor input, Tensor scales, Tensor "
                             "zero_points, int quant_min, "
                             "int quant_max, ScalarType dtype, ScalarType output_dtype) -> Tensor",
                             {.doc = "Numbers of integers, with a scale per row.",
                              .sample = "input=i8[batch,4], scales=f32[batch,1], zero_points=f32[batch,1], "
                                        "quant_min=-128, quant_max=127, "
                                        "dtype=1, output_dtype=6",
                              .result = Result::unknown}),
    op<convert_no_fuse>(
        "quantized_decomposed::convert_element_type.no_fuse(Tensor input, ScalarType dtype) -> Tensor",
        {.doc = "Converts to a dtype.", .sample = "dtype=7", .result = Result::unknown}),
};

}  // namespace

std::span<const Declaration> decomposed_quantize_ops() { return kDecomposedQuantize; }

}  // namespace cameo::aten
