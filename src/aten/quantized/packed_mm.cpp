// Products with weights of integers, and embeddings of integers.
#include <fmt/core.h>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/matrix/products.h"
#include "aten/quantized/fake_grid.h"

namespace cameo::aten {
namespace {

// Rows of weights as i8 with one scale each.
Expr row_scaled_product(Emit& e, Expr self, Expr mat2, Expr scales) {
  const Grid grid{cast(scales, DType::f32), filled(e.scalar(DType::i32, std::int64_t{0}), scales.shape()), 0,
                  -128, 127};
  const Expr weight = grid_values(e, mat2, grid, DType::f32);
  return cast_like(affine(e, cast(self, DType::f32), weight, Expr()), self);
}

// Weights of four bits stay one integer each: the layout in which PyTorch packs them depends on the machine.
Expr unpacked_int4(Emit&, Expr self, Ignored) {
  if (self.dtype() != DType::i32 || self.rank() != 2)
    throw Unsupported("only a matrix of i32 can be packed to four bits");
  return cast(self, DType::u8);
}

// (q - 8) * scale + zero, for groups of qGroupSize columns; scales and zeros are [groups, rows].
Expr int4_product(Emit& e, const Expr& self, const Expr& weight, std::int64_t group, const Expr& scales,
                  const Expr& zeros) {
  const auto rows = weight.dim(0), columns = weight.dim(1);
  if (weight.rank() != 2 || !(columns == self.dim(-1)))
    throw Unsupported("the weights are packed in a layout that depends on the machine",
                      "export the program before the weights are packed");
  const Shape divided{rows, scales.dim(0), Dim(group)};
  const auto beside = [&](const Expr& parameter) {
    return unsqueeze(transpose(cast(parameter, DType::f32), {1, 0}), {2});
  };
  const Expr integers = cast(reshape(weight, divided), DType::f32) - 8;
  const Expr numbers = reshape(integers * beside(scales) + beside(zeros), {rows, columns});
  return cast_like(affine(e, cast(self, DType::f32), numbers, Expr()), self);
}
Expr int4_mm(Emit& e, Expr self, Expr mat2, std::int64_t group, Expr scales_and_zeros) {
  const auto part = [&](std::int64_t index) {
    return squeeze(slice(scales_and_zeros, 2, Dim(index), Dim(index + 1)), {2});
  };
  return int4_product(e, self, mat2, group, part(0), part(1));
}
Expr int4_mm_separate(Emit& e, Expr self, Expr mat2, std::int64_t group, Expr scale, Expr zeros) {
  return int4_product(e, self, mat2, group, scale, zeros);
}

// Rows of an embedding as bytes, with one scale per row or per group of columns.
Expr embedding_rows(const Expr& weight, const Expr& scales, const std::optional<Expr>& zero_points,
                    const Expr& indices, DType dtype) {
  const Expr rows = cast(gather(weight, indices, 0), DType::f32);
  const auto beside = [&](const Expr& parameter) {
    const Expr table = parameter.rank() == 1 ? unsqueeze(parameter, {1}) : parameter;
    return cast(gather(table, indices, 0), DType::f32);
  };
  const Expr scale = beside(scales);
  const Dim groups = scale.dim(-1);
  if (groups.as_constant() == 1) {
    const Expr difference = zero_points ? rows - beside(*zero_points) : rows;
    return cast(difference * scale, dtype);
  }
  const auto columns = rows.dim(-1).as_constant(), count = groups.as_constant();
  if (!columns || !count || *columns % *count != 0)
    throw Unsupported("the number of columns of a group must be known at export time");
  Shape divided = rows.shape();
  divided[-1] = Dim(*count);
  divided.push_back(Dim(*columns / *count));
  const Expr grouped = reshape(rows, divided);
  const Expr difference = zero_points ? grouped - unsqueeze(beside(*zero_points), {-1}) : grouped;
  return cast(reshape(difference * unsqueeze(scale, {-1}), rows.shape()), dtype);
}
Expr embedding_byte(Emit&, Expr weight, Expr weight_scales, std::optional<Expr> weight_zero_points, Ignored,
                    Ignored, Expr indices) {
  return embedding_rows(weight, weight_scales, weight_zero_points, indices, weight_scales.dtype());
}
Expr embedding_byte_dtype(Emit&, Expr weight, Expr weight_scales, std::optional<Expr> weight_zero_points,
                          Ignored, Ignored, Expr indices, std::optional<DType> dtype) {
  return embedding_rows(weight, weight_scales, weight_zero_points, indices,
                        dtype.value_or(weight_scales.dtype()));
}

// Two columns in each byte, the first in the high half; stored numbers are 8 greater.
Expr embedding_nibbles(const Expr& weight, const Expr& scales, const std::optional<Expr>& zero_points,
                       const Expr& indices, DType dtype) {
  const Expr bytes = cast(weight, DType::i32);
  const Expr high = bytes / 16, low = bytes % 16;
  Shape shape = weight.shape();
  shape[-1] = shape[-1] * 2;
  const Expr numbers = reshape(concat({unsqueeze(high, {-1}), unsqueeze(low, {-1})}, -1), shape) - 8;
  return embedding_rows(cast(numbers, DType::i8), scales, zero_points, indices, dtype);
}
Expr embedding_4bit(Emit&, Expr weight, Expr weight_scales, std::optional<Expr> weight_zero_points, Ignored,
                    Ignored, Expr indices) {
  return embedding_nibbles(weight, weight_scales, weight_zero_points, indices, weight_scales.dtype());
}
Expr embedding_4bit_dtype(Emit&, Expr weight, Expr weight_scales, std::optional<Expr> weight_zero_points,
                          Ignored, Ignored, Expr indices, std::optional<DType> dtype) {
  return embedding_nibbles(weight, weight_scales, weight_zero_points, indices,
                           dtype.value_or(weight_scales.dtype()));
}

// Columns of weights as i8 with one scale each.
Expr mixed_mm(Emit& e, Expr input, Expr weight, Expr weight_scales, std::optional<Expr> weight_zero_points) {
  const Expr zeros = weight_zero_points
                         ? *weight_zero_points
                         : filled(e.scalar(DType::i32, std::int64_t{0}), weight_scales.shape());
  const Grid grid{weight_scales, zeros, 1, -128, 127};
  const Expr product = matrix_product(e, cast(input, DType::f32), grid_values(e, weight, grid, DType::f32));
  return cast_like(product, input);
}
Expr mixed_linear(Emit& e, Expr input, Expr weight, Expr weight_scales,
                  std::optional<Expr> weight_zero_points, std::optional<DType> dtype) {
  if (weight_scales.rank() != 1) throw Unsupported("only one scale for each row of the weights is supported");
  const Expr zeros = weight_zero_points
                         ? *weight_zero_points
                         : filled(e.scalar(DType::i32, std::int64_t{0}), weight_scales.shape());
  const Expr rows = grid_values(e, weight, {weight_scales, zeros, 0, -128, 127}, DType::f32);
  return cast(affine(e, cast(input, DType::f32), rows, Expr()), dtype.value_or(input.dtype()));
}

constexpr std::string_view kByteEmbedding =
    "weight=i8[6,8], weight_scales=f32[6], weight_quant_min=-128, weight_quant_max=127, indices=i64[batch]";
constexpr std::string_view kNibbleEmbedding =
    "weight=u8[6,4], weight_scales=f32[6], weight_quant_min=-8, weight_quant_max=7, indices=i64[batch]";

constexpr Declaration kPackedMm[] = {
    op<row_scaled_product>("aten::_weight_int8pack_mm(Tensor self, Tensor mat2, Tensor scales) -> Tensor",
                           {.doc = "A product with weights of i8, which have a scale per row.",
                            .sample = "self=f32[batch,6], mat2=i8[8,6], scales=f32[8]"}),
    op<unpacked_int4>("aten::_convert_weight_to_int4pack_for_cpu(Tensor self, int innerKTiles) -> Tensor",
                      {.doc = "Weights of four bits, not packed here.",
                       .sample = "self=i32[16,32], innerKTiles=2",
                       .result = Result::unknown}),
    op<int4_mm>("aten::_weight_int4pack_mm_for_cpu(Tensor self, Tensor mat2, int qGroupSize, Tensor "
                "qScaleAndZeros) -> "
                "Tensor",
                {.doc = "A product with weights of four bits, which have a scale per group of columns.",
                 .sample = "self=f32[batch,32], mat2=u8[16,32], qGroupSize=32, qScaleAndZeros=f32[1,16,2]",
                 .result = Result::unknown}),
    op<int4_mm_separate>(
        "aten::_weight_int4pack_mm_with_scales_and_zeros(Tensor self, Tensor mat2, int qGroupSize, Tensor "
        "qScale, "
        "Tensor qZeros) -> Tensor",
        {.doc = "A product with weights of four bits, which have a scale per group of columns.",
         .sample = "self=f32[batch,32], mat2=u8[16,32], qGroupSize=32, qScale=f32[1,16], qZeros=f32[1,16]",
         .result = Result::unknown}),
    op<embedding_byte>(
        "quantized_decomposed::embedding_byte(Tensor weight, Tensor weight_scales, Tensor? "
        "weight_zero_points, int "
        "weight_quant_min, int weight_quant_max, Tensor indices) -> Tensor",
        {.doc = "Rows of an embedding of integers.", .sample = kByteEmbedding, .result = Result::unknown}),
    op<embedding_byte_dtype>(
        "quantized_decomposed::embedding_byte.dtype(Tensor weight, Tensor weight_scales, Tensor? "
        "weight_zero_points, "
        "int weight_quant_min, int weight_quant_max, Tensor indices, ScalarType? dtype=None) -> Tensor",
        {.doc = "Rows of an embedding of integers.", .sample = kByteEmbedding, .result = Result::unknown}),
    op<embedding_4bit>("quantized_decomposed::embedding_4bit(Tensor weight, Tensor weight_scales, Tensor? "
                       "weight_zero_points, int "
                       "weight_quant_min, int weight_quant_max, Tensor indices) -> Tensor",
                       {.doc = "Rows of an embedding of integers of four bits.",
                        .sample = kNibbleEmbedding,
                        .result = Result::unknown}),
    op<embedding_4bit_dtype>(
        "quantized_decomposed::embedding_4bit.dtype(Tensor weight, Tensor weight_scales, Tensor? "
        "weight_zero_points, "
        "int weight_quant_min, int weight_quant_max, Tensor indices, ScalarType? dtype=None) -> Tensor",
        {.doc = "Rows of an embedding of integers of four bits.",
         .sample = kNibbleEmbedding,
         .result = Result::unknown}),
    op<mixed_mm>("quantized_decomposed::mixed_mm(Tensor input, Tensor weight, Tensor weight_scales, Tensor? "
                 "weight_zero_points) -> Tensor",
                 {.doc = "A product with weights of i8, which have a scale per column.",
                  .sample = "input=f32[batch,6], weight=i8[6,8], weight_scales=f32[8]",
                  .result = Result::unknown}),
    op<mixed_linear>(
        "quantized_decomposed::mixed_linear(Tensor input, Tensor weight, Tensor weight_scales, Tensor? "
        "weight_zero_points, ScalarType? dtype=None) -> Tensor",
        {.doc = "A linear layer with weights of i8, which have a scale per row.",
         .sample = "input=f32[batch,6], weight=i8[8,6], weight_scales=f32[8]",
         .result = Result::unknown}),
};

}  // namespace

std::span<const Declaration> packed_mm_ops() { return kPackedMm; }

}  // namespace cameo::aten
