#include "aten/quantized/layers.h"

#include <cmath>

#include "aten/quantization.h"

namespace cameo::aten::quantized_ops {
namespace {

// The scales of the products of `x` and `weight`; nothing if they are runtime values or too small for f32.
std::vector<float> product_scales(const Tensor& x, const Tensor& weight) {
  if (!x.quantizer || !weight.quantizer || x.quantizer->axis) return {};
  const onnx::DataPtr &of_x = x.quantizer->scale->data, &of_weight = weight.quantizer->scale->data;
  if (!of_x || !of_weight) return {};
  std::vector<float> scales;
  for (std::int64_t i = 0; i < of_weight->numel(); ++i) {
    scales.push_back(static_cast<float>(of_x->real(0)) * static_cast<float>(of_weight->real(i)));
    if (!std::isnormal(scales.back())) return {};
  }
  return scales;
}

// The bias in steps of the scales; nothing if it does not fit.
std::vector<std::int32_t> in_steps(const onnx::Data& bias, const std::vector<float>& scales) {
  std::vector<std::int32_t> steps;
  for (std::int64_t i = 0; i < bias.numel(); ++i) {
    const double scale = scales[scales.size() == 1 ? 0 : as_size(i)];
    const double step = std::nearbyint(bias.real(i) / scale);
    if (!(std::abs(step) <= std::numeric_limits<std::int32_t>::max())) return {};
    steps.push_back(static_cast<std::int32_t>(step));
  }
  return steps;
}

// The tensor with all dimensions but the last made one.
Tensor as_matrix(Emit& e, const Tensor& x, const Shape& shape) {
  return {e.reshape(x.value, {shape.first(shape.rank() - 1).product(), shape[shape.rank() - 1]}),
          x.quantizer};
}

}  // namespace

std::optional<Expr> layer_bias(Emit& e, const Tensor& x, const Tensor& weight,
                               const std::optional<Tensor>& bias, std::int64_t axis) {
  if (!bias) return std::nullopt;
  const Expr numbers(e, *bias);
  const std::vector<float> scales = product_scales(x, weight);
  const bool by_channel = scales.size() > 1;
  if (scales.empty() || !numbers->constant() || (by_channel && weight.quantizer->axis != axis) ||
      (by_channel && std::ssize(scales) != numbers->data->numel()))
    return numbers;
  const std::vector<std::int32_t> steps = in_steps(*numbers->data, scales);
  if (steps.empty()) return numbers;
  const std::vector<std::int64_t> scale_shape(by_channel ? 1 : 0, std::ssize(scales));
  const Quantizer parameters{e.constant(onnx::Data::of<float>(DType::f32, scale_shape, scales)),
                             e.scalar(DType::i32, std::int64_t{0}),
                             by_channel ? std::optional<std::int64_t>(0) : std::nullopt};
  onnx::Value* integers =
      e.constant(onnx::Data::of<std::int32_t>(DType::i32, {std::ssize(steps)}, steps), numbers->name);
  return dequantized(e, {integers, std::make_shared<Quantizer>(parameters)});
}

Expr linear_numbers(Emit& e, const Tensor& x, const PackedLinear& packed) {
  const Shape shape = x.shape();
  if (shape.rank() == 0) throw ProgramError("a linear layer of a tensor without dimensions");
  if (packed.weight.rank() != 2) throw ProgramError("the weight of a linear layer must have two dimensions");
  const bool matrix = shape.rank() == 2;
  const Expr weight = dequantized(e, packed.weight);
  const Expr input = dequantized(e, matrix ? x : as_matrix(e, x, shape));
  const std::optional<Expr> bias = layer_bias(e, x, packed.weight, packed.bias, 0);
  std::vector<onnx::Value*> inputs{input, weight};
  if (bias) inputs.push_back(*bias);
  const Expr y = e.op("Gemm", std::move(inputs), {{"transB", std::int64_t{1}}});
  if (matrix) return y;
  Shape result = shape;
  result[shape.rank() - 1] = weight.dim(0);
  return reshape(y, result);
}

Expr conv_numbers(Emit& e, const Tensor& x, const PackedConv& packed) {
  const std::optional<Expr> bias =
      layer_bias(e, x, packed.weight, packed.bias, packed.transpose && packed.groups == 1 ? 1 : 0);
  return call(e, "aten::convolution",
              {arg(dequantized(e, x)), arg(dequantized(e, packed.weight)), arg(bias), arg(packed.stride),
               arg(packed.padding), arg(packed.dilation), arg(packed.transpose), arg(packed.output_padding),
               arg(packed.groups)});
}

PackedConv over_axes(Emit& e, PackedConv packed, std::int64_t axes) {
  if (packed.weight.rank() == axes + 2) return packed;
  if (axes != 1 || packed.weight.rank() != 4)
    throw ProgramError("the weight of the convolution has another number of dimensions");
  packed.weight.value = e.squeeze(packed.weight.value, {2});
  for (Ints* numbers : {&packed.stride, &packed.padding, &packed.dilation, &packed.output_padding})
    if (numbers->size() > 1) numbers->erase(numbers->begin(), numbers->end() - 1);
  return packed;
}

}  // namespace cameo::aten::quantized_ops
