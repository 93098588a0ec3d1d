#include <fmt/format.h>

#include "aten/network/normalization.h"

namespace cameo::aten {
namespace {

// A vector of channels so that it broadcasts over a tensor whose channels are dimension 1.
onnx::Value* over_channels(Emit& e, onnx::Value* vector, std::int64_t rank) {
  Ints inner;
  for (std::int64_t axis = 1; axis < rank - 1; ++axis) inner.push_back(axis);
  return e.unsqueeze(vector, inner);
}

}  // namespace

onnx::Value* filled(Emit& e, DType dtype, const Shape& shape, double value) {
  return e.expand(e.scalar(dtype, value), shape);
}

onnx::Value* given_or(Emit& e, const Optional& given, DType dtype, const Shape& shape, double value) {
  return given ? given->value : filled(e, dtype, shape, value);
}

onnx::Attributes with_epsilon(double eps, onnx::Attributes attributes) {
  if (static_cast<float>(eps) != 1e-5f) attributes.push_back({"epsilon", static_cast<float>(eps)});
  return attributes;
}

void check_floating(const Tensor& input) {
  if (!is_floating(input.dtype()))
    throw ProgramError(fmt::format("the input must have a floating-point type, not {}", name(input.dtype())));
}

Standardised standardised(Emit& e, onnx::Value* x, const Ints& axes, double eps) {
  onnx::Value* over = e.ints(axes);
  onnx::Value* mean = e.op("ReduceMean", {x, over});
  onnx::Value* rest = e.op("Sub", {x, mean});
  onnx::Value* variance = e.op("ReduceMean", {e.op("Mul", {rest, rest}), over});
  onnx::Value* deviation = e.op("Sqrt", {e.op("Add", {variance, e.scalar(x->dtype(), eps)})});
  return {e.op("Div", {rest, deviation}), mean, variance, e.op("Reciprocal", {deviation})};
}

onnx::Value* scaled_and_shifted(Emit& e, onnx::Value* x, const Optional& weight, const Optional& bias) {
  if (weight) x = e.op("Mul", {x, over_channels(e, *weight, x->rank())});
  return bias ? e.op("Add", {x, over_channels(e, *bias, x->rank())}) : x;
}

}  // namespace cameo::aten
