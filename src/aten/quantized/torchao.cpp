// Quantisation in blocks: torchao's affine operators, PyTorch's copies of them, and groups of channels.
#include <fmt/core.h>

#include <limits>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/quantized/fake_grid.h"
#include "onnx/fold/quantize.h"

namespace cameo::aten {
namespace {

// Elements of a block share a scale. A tensor is seen with each axis that has several blocks divided in two.
struct Blocks {
  Shape split;       // of the tensor
  Shape parameters;  // of scales and zero points beside it
  Axes reduced;      // axes of `split` within a block
  Axes several;      // axes of the tensor with a scale for each index
  std::optional<std::pair<std::int64_t, std::int64_t>> group;  // axis and block size, if one axis is divided
  bool grid = true;                                            // no axis is divided
};

Blocks blocks_of(const Expr& x, const Shape& sizes) {
  if (sizes.rank() != x.rank()) throw ProgramError("there must be a block size for each dimension");
  Blocks blocks;
  for (std::int64_t axis = 0; axis < x.rank(); ++axis) {
    const Dim size = x.dim(axis), block = sizes[axis];
    const auto number = block.as_constant();
    const bool single = number == 1;
    if (!single && !(block == size)) {
      const auto whole = size.as_constant();
      if (!number || !whole) throw Unsupported("the sizes of tensor and blocks must be known at export time");
      if (*number < 1 || *whole % *number != 0)
        throw ProgramError(
            fmt::format("a dimension of {} cannot be divided into blocks of {}", *whole, *number));
      blocks.reduced.push_back(blocks.split.rank() + 1);
      blocks.split.insert(blocks.split.end(), {Dim(*whole / *number), block});
      blocks.parameters.insert(blocks.parameters.end(), {Dim(*whole / *number), Dim(1)});
      blocks.group = blocks.grid ? std::optional(std::pair(axis, *number)) : std::nullopt;
      blocks.grid = false;
      continue;
    }
    if (single) blocks.several.push_back(axis);
    if (!single) blocks.reduced.push_back(blocks.split.rank());
    blocks.split.push_back(size);
    blocks.parameters.push_back(single ? size : Dim(1));
  }
  return blocks;
}

struct BlockLimits {
  double least, most;
};

BlockLimits block_limits(DType dtype, const std::optional<Scalar>& least, const std::optional<Scalar>& most) {
  const auto [bottom, top] = onnx::limits_of(dtype);
  return {least ? known_number(*least, "quant_min") : static_cast<double>(bottom),
          most ? known_number(*most, "quant_max") : static_cast<double>(top)};
}

bool has_elements(const std::optional<Expr>& zero_point) {
  return zero_point && !(zero_point->rank() == 1 && zero_point->dim(0).as_constant() == 0);
}

// Scales and zero points as those of a tensor or of its channels, if the blocks are no smaller.
std::optional<Grid> grid_of(const Blocks& blocks, const Expr& scale, const Expr& zero_point,
                            const BlockLimits& limits) {
  if (!blocks.grid || blocks.several.size() > 1) return std::nullopt;
  const bool channels = !blocks.several.empty();
  const Shape shape = channels ? Shape{blocks.parameters[blocks.several[0]]} : Shape{};
  return Grid{reshape(scale, shape), reshape(zero_point, shape),
              channels ? std::optional(blocks.several[0]) : std::nullopt,
              static_cast<std::int64_t>(limits.least), static_cast<std::int64_t>(limits.most)};
}

Expr zero_like(Emit& e, const Expr& scale) {
  return filled(e.scalar(DType::i32, std::int64_t{0}), scale.shape());
}

Expr quantize_blocks(Emit& e, const Expr& input, const Shape& sizes, const Expr& scale,
                     const Expr& zero_point, DType dtype, const BlockLimits& limits) {
  const Blocks blocks = blocks_of(input, sizes);
  if (const auto grid = grid_of(blocks, scale, zero_point, limits); grid && !is_floating(dtype))
    return grid_integers(e, input, *grid, dtype);
  const Expr inverse = reciprocal(reshape(scale, blocks.parameters));
  const Operands product = operands(e, Expr(reshape(input, blocks.split)), inverse);
  const Operands sum =
      operands(e, Expr(round(product.a * product.b)), Expr(reshape(zero_point, blocks.parameters)));
  return reshape(cast(clip(sum.a + sum.b, limits.least, limits.most), dtype), input.shape());
}

Expr dequantize_blocks(Emit& e, const Expr& input, const Shape& sizes, const Expr& scale,
                       const Expr& zero_point, DType dtype) {
  const Blocks blocks = blocks_of(input, sizes);
  if (const auto grid = grid_of(blocks, scale, zero_point, {0, 0}))
    return grid_values(e, input, *grid, dtype);
  const bool small = input.dtype() == DType::i8 || input.dtype() == DType::u8;
  if (blocks.group && std::ssize(blocks.several) == input.rank() - 1 && small &&
      !is_floating(zero_point.dtype())) {
    Shape shape = input.shape();
    shape[blocks.group->first] = Dim(*shape[blocks.group->first].as_constant() / blocks.group->second);
    const Expr scales = cast(reshape(scale, shape), DType::f32),
               zeros = cast(reshape(zero_point, shape), input.dtype());
    const Expr numbers = e.op("DequantizeLinear", {input, scales, zeros},
                              {{"axis", blocks.group->first}, {"block_size", blocks.group->second}});
    return cast(numbers, dtype);
  }
  const Expr zero = cast(reshape(zero_point, blocks.parameters), DType::f32);
  const Expr difference = cast(reshape(input, blocks.split), DType::f32) - zero;
  const Expr numbers = difference * cast(reshape(scale, blocks.parameters), DType::f32);
  return cast(reshape(numbers, input.shape()), dtype);
}

Expr quantize_affine(Emit& e, Expr input, Shape block_size, Expr scale, std::optional<Expr> zero_point,
                     DType output_dtype, std::optional<Scalar> quant_min, std::optional<Scalar> quant_max) {
  if (is_floating(output_dtype)) throw Unsupported("only integers can be the result");
  const Expr zero = has_elements(zero_point) ? *zero_point : zero_like(e, scale);
  return quantize_blocks(e, input, block_size, scale, zero, output_dtype,
                         block_limits(output_dtype, quant_min, quant_max));
}

Expr dequantize_affine(Emit& e, Expr input, Shape block_size, Expr scale, std::optional<Expr> zero_point,
                       Ignored, Ignored, Ignored, DType output_dtype) {
  const Expr zero = has_elements(zero_point) ? *zero_point : zero_like(e, scale);
  return dequantize_blocks(e, input, block_size, scale, zero, output_dtype);
}

double epsilon_of(DType dtype) {
  switch (dtype) {
    case DType::f16: return 0.0009765625;
    case DType::bf16: return 0.0078125;
    case DType::f64: return std::numeric_limits<double>::epsilon();
    default: return static_cast<double>(std::numeric_limits<float>::epsilon());
  }
}

Expr block_scale(const std::string& mapping, const Expr& least, const Expr& most, const BlockLimits& limits) {
  if (mapping == "SYMMETRIC") return maximum(-least, most) / ((limits.most - limits.least) / 2);
  if (mapping == "SYMMETRIC_NO_CLIPPING_ERR") return maximum(least / limits.least, most / limits.most);
  if (mapping == "ASYMMETRIC") return (most - least) / (limits.most - limits.least);
  throw Unsupported(fmt::format("the mapping '{}' is not supported", mapping));
}

std::vector<Expr> choose_affine(Emit& e, Expr input, std::string mapping_type, Shape block_size,
                                DType target_dtype, std::optional<Scalar> quant_min,
                                std::optional<Scalar> quant_max, std::optional<double> eps,
                                std::optional<DType> scale_dtype, std::optional<DType> zero_point_dtype,
                                bool keepdim) {
  if (is_floating(target_dtype)) throw Unsupported("only scales for integers can be chosen");
  const BlockLimits limits = block_limits(target_dtype, quant_min, quant_max);
  const Blocks blocks = blocks_of(input, block_size);
  const Expr divided = reshape(input, blocks.split);
  const onnx::Attributes kept = {{"keepdims", std::int64_t{keepdim}}};
  const auto extreme = [&](const char* op) {
    return blocks.reduced.empty() ? divided : compute(e, op, {divided, e.ints(blocks.reduced)}, kept);
  };
  const Expr least = minimum(extreme("ReduceMin"), 0), most = maximum(extreme("ReduceMax"), 0);
  const Expr scale =
      maximum(block_scale(mapping_type, least, most, limits), eps.value_or(epsilon_of(input.dtype())));
  const double middle = std::trunc((limits.most + limits.least + 1) / 2);
  const Expr zero = mapping_type == "ASYMMETRIC"
                        ? clip(limits.least - round(least / scale), limits.least, limits.most)
                        : filled_like(scale.number(middle), scale);
  return {cast(scale, scale_dtype.value_or(input.dtype())),
          cast(zero, zero_point_dtype.value_or(DType::i32))};
}

// The form of PyTorch 2.7, whose zero point has the type of the input by default.
std::vector<Expr> choose_affine_pt2e(Emit& e, std::optional<Expr> input, std::string mapping_type,
                                     Shape block_size, DType target_dtype, std::optional<Scalar> quant_min,
                                     std::optional<Scalar> quant_max, std::optional<double> eps,
                                     std::optional<DType> scale_dtype, std::optional<DType> zero_point_dtype,
                                     bool preserve_zero, std::optional<std::string> zero_point_domain,
                                     std::optional<Expr> min_val, std::optional<Expr> max_val) {
  if (!input || min_val || max_val) throw Unsupported("'min_val' and 'max_val' are not supported");
  if (!preserve_zero || zero_point_domain != "INT")
    throw Unsupported("only integers as zero points are supported");
  return choose_affine(e, *input, std::move(mapping_type), std::move(block_size), target_dtype, quant_min,
                       quant_max, eps, scale_dtype, zero_point_dtype.value_or(input->dtype()), false);
}
Expr quantize_pt2e(Emit& e, Expr input, Shape block_size, Expr scale, std::optional<Expr> zero_point,
                   DType output_dtype, std::optional<Scalar> quant_min, std::optional<Scalar> quant_max,
                   std::optional<std::string> zero_point_domain) {
  if (zero_point_domain != "INT") throw Unsupported("only integers as zero points are supported");
  return quantize_affine(e, input, std::move(block_size), scale, zero_point, output_dtype, quant_min,
                         quant_max);
}
Expr dequantize_pt2e(Emit& e, Expr input, Shape block_size, Expr scale, std::optional<Expr> zero_point,
                     Ignored, Ignored, Ignored, std::optional<std::string> zero_point_domain,
                     DType output_dtype) {
  if (zero_point_domain != "INT") throw Unsupported("only integers as zero points are supported");
  return dequantize_affine(e, input, std::move(block_size), scale, zero_point, {}, {}, {}, output_dtype);
}

// Groups of the last axis.
Shape group_sizes(const Expr& x, const Expr& scales, std::int64_t group_size) {
  Shape sizes = Shape::filled(x.rank(), Dim(1));
  const auto columns = x.dim(-1).as_constant();
  const bool one = scales.dim(-1).as_constant() == 1 && columns && group_size > *columns;
  sizes[-1] = one ? x.dim(-1) : Dim(group_size);
  return sizes;
}
Expr quantize_group(Emit& e, Expr input, Expr scales, Expr zero_points, std::int64_t quant_min,
                    std::int64_t quant_max, DType dtype, std::int64_t group_size) {
  const BlockLimits limits{static_cast<double>(quant_min), static_cast<double>(quant_max)};
  return quantize_blocks(e, input, group_sizes(input, scales, group_size), scales, zero_points, dtype,
                         limits);
}
Expr dequantize_group(Emit& e, Expr input, Expr scales, std::optional<Expr> zero_points, Ignored, Ignored,
                      Ignored, std::int64_t group_size, DType output_dtype) {
  return dequantize_blocks(e, input, group_sizes(input, scales, group_size), scales,
                           zero_points ? *zero_points : zero_like(e, scales), output_dtype);
}

constexpr std::string_view kBlocks =
    "input=f32[6,8], block_size=[1, 4], scale=f32[6,2], zero_point=i32[6,2], output_dtype=1";
constexpr std::string_view kIntegerBlocks =
    "input=i8[6,8], block_size=[1, 4], scale=f32[6,2], zero_point=i32[6,2], input_dtype=1";
constexpr std::string_view kChosenBlocks =
    "input=f32[6,8], mapping_type='SYMMETRIC', block_size=[1, 4], target_dtype=1";

constexpr Declaration kTorchao[] = {
    op<quantize_affine>(
        "torchao::quantize_affine(Tensor input, SymInt[] block_size, Tensor scale, Tensor? zero_point, "
        "ScalarType output_dtype, Scalar? quant_min=None, Scalar? quant_max=None) -> Tensor",
        {.doc = "Integers for numbers, with a scale per block.",
         .sample = kBlocks,
         .result = Result::unknown}),
    op<dequantize_affine>(
        "torchao::dequantize_affine(Tensor input, SymInt[] block_size, Tensor scale, Tensor? zero_point, "
        "ScalarType "
        "input_dtype, Scalar? quant_min=None, Scalar? quant_max=None, ScalarType output_dtype=6) -> Tensor",
        {.doc = "Numbers of integers, with a scale per block.",
         .sample = kIntegerBlocks,
         .result = Result::unknown}),
    op<choose_affine>(
        "torchao::choose_qparams_affine(Tensor input, str mapping_type, SymInt[] block_size, ScalarType "
        "target_dtype, "
        "Scalar? quant_min=None, Scalar? quant_max=None, float? eps=None, ScalarType? scale_dtype=None, "
        "ScalarType? "
        "zero_point_dtype=None, bool keepdim=False) -> (Tensor, Tensor)",
        {.doc = "Scale and zero point for each block.", .sample = kChosenBlocks, .result = Result::unknown}),
    op<quantize_pt2e>("pt2e_quant::quantize_affine(Tensor input, SymInt[] block_size, Tensor scale, Tensor? "
                      "zero_point, ScalarType "
                      "output_dtype, Scalar? quant_min=None, Scalar? quant_max=None, str? "
                      "zero_point_domain=\"INT\") -> Tensor",
                      {.doc = "Integers for numbers, with a scale per block.",
                       .sample = kBlocks,
                       .result = Result::unknown}),
    op<dequantize_pt2e>("pt2e_quant::dequantize_affine(Tensor input, SymInt[] block_size, Tensor scale, "
                        "Tensor? zero_point, ScalarType "
                        "input_dtype, Scalar? quant_min=None, Scalar? quant_max=None, str? "
                        "zero_point_domain=\"INT\", ScalarType "
                        "output_dtype=6) -> Tensor",
                        {.doc = "Numbers of integers, with a scale per block.",
                         .sample = kIntegerBlocks,
                         .result = Result::unknown}),
    op<choose_affine_pt2e>(
        "pt2e_quant::choose_qparams_affine(Tensor? input, str mapping_type, SymInt[] block_size, ScalarType "
        "target_dtype, Scalar? quant_min=None, Scalar? quant_max=None, float? eps=None, ScalarType? "
        "scale_dtype=None, "
        "ScalarType? zero_point_dtype=None, bool preserve_zero=True, str? zero_point_domain=\"INT\", Tensor? "
        "min_val=None, Tensor? max_val=None) -> (Tensor, Tensor)",
        {.doc = "Scale and zero point for each block.", .sample = kChosenBlocks, .result = Result::unknown}),
    op<quantize_group>(
        "quantized_decomposed::quantize_per_channel_group(Tensor input, Tensor scales, Tensor zero_points, "
        "int "
        "quant_min, int quant_max, ScalarType dtype, int group_size) -> Tensor",
        {.doc = "Integers for numbers, with a scale per group of columns.",
         .sample =
             "input=f32[6,8], scales=f32[6,2], zero_points=i32[6,2], quant_min=-8, quant_max=7, dtype=1, "
             "group_size=4",
         .result = Result::unknown}),
    op<dequantize_group>(
        "quantized_decomposed::dequantize_per_channel_group(Tensor input, Tensor scales, Tensor? "
        "zero_points, int "
        "quant_min, int quant_max, ScalarType dtype, int group_size, ScalarType output_dtype) -> Tensor",
        {.doc = "Numbers of integers, with a scale per group of columns.",
         .sample =
             "input=i8[6,8], scales=f32[6,2], zero_points=i32[6,2], quant_min=-8, quant_max=7, dtype=1, "
             "group_size=4, output_dtype=6",
         .result = Result::unknown}),
};

}  // namespace

std::span<const Declaration> torchao_ops() { return kTorchao; }

}  // namespace cameo::aten
