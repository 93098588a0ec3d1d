#include "aten/quantized/dynamic_layers.h"

#include "aten/quantization.h"
#include "aten/quantized/calls.h"
#include "aten/quantized/layers.h"

namespace cameo::aten::quantized_ops {
namespace {

bool all_zero(const onnx::Value* value) {
  if (!value->data) return false;
  for (std::int64_t i = 0; i < value->data->numel(); ++i)
    if (value->data->integer(i) != 0) return false;
  return true;
}

// The weight with its outputs along the second axis, as a product reads it.
Tensor transposed(Emit& e, const Tensor& weight) {
  Quantizer q = *weight.quantizer;
  if (q.axis) q.axis = 1 - *q.axis;
  return {e.transpose(weight.value, {1, 0}), std::make_shared<Quantizer>(q)};
}

Expr with_bias(Emit& e, const Expr& x, const std::optional<Tensor>& bias) {
  return bias ? x + Expr(e, *bias) : x;
}

}  // namespace

Expr linear_dynamic(Emit& e, const Expr& x, const PackedLinear& packed, bool reduce_range) {
  if (!packed.weight.quantizer) {
    const Arg bias = packed.bias ? arg(*packed.bias) : arg(None{});
    return call(e, "aten::linear", {arg(x), arg(Expr(e, packed.weight)), bias});
  }
  if (packed.weight.rank() != 2) throw ProgramError("the weight of a linear layer must have two dimensions");
  if (packed.weight.quantizer->axis == 1)
    throw Unsupported("the weight has one scale per input, not per output");
  const Tensor input = quantized_dynamically(e, x, reduce_range);
  // A Gemm of matrices: ONNX Runtime turns a MatMul with a bias and known sizes into a MatMulNBits, which rounds the
  // activations once more.
  if (e.dynamic_qdq()) return linear_numbers(e, input, packed);
  const Tensor weight = transposed(e, packed.weight);
  std::vector<onnx::Value*> inputs{input.value, weight.value, input.quantizer->zero_point};
  if (!all_zero(weight.quantizer->zero_point)) inputs.push_back(weight.quantizer->zero_point);
  const Expr sums = cast(e.op("MatMulInteger", std::move(inputs)), DType::f32);
  const Expr scale = Expr(e, input.quantizer->scale) * Expr(e, weight.quantizer->scale);
  return with_bias(e, sums * scale, packed.bias);
}

}  // namespace cameo::aten::quantized_ops
