#include "aten/quantization.h"

#include <fmt/core.h>

#include <cmath>

namespace cameo::aten {
namespace quantization {
namespace {

// A 1-d value along `axis` as one that broadcasts with a tensor of `rank` dimensions.
Expr along_axis(Emit& e, onnx::Value* value, const Quantizer& q, std::int64_t rank) {
  if (!q.axis) return Expr(e, value);
  Axes others;
  for (std::int64_t i = 0; i < rank; ++i)
    if (i != *q.axis) others.push_back(i);
  return unsqueeze(Expr(e, value), others);
}

onnx::Attributes axis_of(const Quantizer& q) {
  return q.axis ? onnx::Attributes{{"axis", *q.axis}} : onnx::Attributes{};
}

bool is_zero(const onnx::Value* value) {
  if (!value->constant()) return false;
  for (std::int64_t i = 0; i < value->data->numel(); ++i)
    if (value->data->real(i) != 0) return false;
  return true;
}

// ONNX's operators have integer zero points, no i32 results, and no zero points for i32.
bool in_formulas(const Quantizer& q, DType integer) {
  return is_floating(q.zero_point->dtype()) || (integer == DType::i32 && !is_zero(q.zero_point));
}

// The tensor whose numbers these are, if it has the same parameters.
onnx::Value* quantized_already(const Expr& numbers, const Quantizer& q, DType integer) {
  const onnx::Node* node = numbers->producer;
  if (!node || node->op != "DequantizeLinear" || node->inputs.size() < 3) return nullptr;
  const std::int64_t* axis = node->attribute_if<std::int64_t>("axis");
  const bool same = node->inputs[0]->dtype() == integer && node->inputs[1] == q.scale &&
                    node->inputs[2] == q.zero_point && (!q.axis || (axis && *axis == *q.axis));
  return same && integer != DType::i32 ? node->inputs[0] : nullptr;
}

void check_scale(double scale) {
  if (!(scale > 0) || std::isinf(scale) || static_cast<float>(scale) == 0)
    throw ProgramError(
        fmt::format("the scale of a quantised tensor must be a positive number, not {}", scale));
}

void check_zero_point(double zero_point, DType integer) {
  const auto [least, most] = range_of(integer);
  if (!(zero_point >= least && zero_point <= most))
    throw ProgramError(fmt::format("the zero point {} is not in the range of {}", zero_point,
                                   name(quantized_type(integer))));
}

}  // namespace
}  // namespace quantization

DType integer_type(DType quantized) {
  switch (quantized) {
    case DType::qi8: return DType::i8;
    case DType::qu8: return DType::u8;
    case DType::qi32: return DType::i32;
    default:
      throw Unsupported(fmt::format("quantised tensors of type {} are not supported", name(quantized)));
  }
}

DType quantized_type(DType integer) {
  switch (integer) {
    case DType::i8: return DType::qi8;
    case DType::u8: return DType::qu8;
    case DType::i32: return DType::qi32;
    default: throw Unsupported(fmt::format("{} is not the type of a quantised tensor", name(integer)));
  }
}

std::pair<double, double> range_of(DType integer) {
  if (integer == DType::u8) return {0, 255};
  if (integer == DType::i8) return {-128, 127};
  return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
}

QuantizerPtr per_tensor(Emit& e, double scale, std::int64_t zero_point, DType integer) {
  quantization::check_scale(scale);
  quantization::check_zero_point(static_cast<double>(zero_point), integer);
  return std::make_shared<Quantizer>(
      Quantizer{e.scalar(DType::f32, scale), e.scalar(integer, zero_point), std::nullopt});
}

QuantizerPtr checked(Quantizer parameters, DType integer) {
  if (const onnx::DataPtr& scales = parameters.scale->data)
    for (std::int64_t i = 0; i < scales->numel(); ++i) quantization::check_scale(scales->real(i));
  if (const onnx::DataPtr& zeros = parameters.zero_point->data; zeros && zeros->dtype() != DType::f32)
    for (std::int64_t i = 0; i < zeros->numel(); ++i) quantization::check_zero_point(zeros->real(i), integer);
  return std::make_shared<Quantizer>(std::move(parameters));
}

bool same_parameters(const QuantizerPtr& a, const QuantizerPtr& b) { return a == b || (a && b && *a == *b); }

Tensor quantized(Emit& e, const Expr& numbers, QuantizerPtr parameters, DType integer) {
  const Quantizer& q = *parameters;
  if (onnx::Value* already = quantization::quantized_already(numbers, q, integer))
    return {already, std::move(parameters)};
  if (integer != DType::i32 && !quantization::in_formulas(q, integer))
    return {e.op("QuantizeLinear", {numbers, q.scale, q.zero_point}, quantization::axis_of(q)),
            std::move(parameters)};
  const std::int64_t rank = numbers.rank();
  const Expr steps = numbers / quantization::along_axis(e, q.scale, q, rank);
  const Expr zero = quantization::along_axis(e, q.zero_point, q, rank);
  const auto [least, most] = range_of(integer);
  const Expr whole = is_floating(zero.dtype()) ? round(steps + zero)
                                               : cast(round(steps), DType::f64) + cast(zero, DType::f64);
  return {cast(clip(whole, least, most), integer), std::move(parameters)};
}

Tensor quantized_like(Emit& e, const Expr& numbers, const Tensor& like) {
  return quantized(e, numbers, like.quantizer, like->dtype());
}

Tensor requantized(Emit& e, const Tensor& x, QuantizerPtr parameters, DType integer) {
  if (same_parameters(x.quantizer, parameters) && x->dtype() == integer) return x;
  return quantized(e, dequantized(e, x), std::move(parameters), integer);
}

Expr dequantized(Emit& e, const Tensor& x) {
  if (!x.quantizer) return Expr(e, x);
  const Quantizer& q = *x.quantizer;
  if (quantization::in_formulas(q, x->dtype())) {
    const Expr zero = quantization::along_axis(e, q.zero_point, q, x.rank());
    const Expr steps = is_floating(zero.dtype())
                           ? cast(Expr(e, x.value), DType::f32) - zero
                           : cast(cast(Expr(e, x.value), DType::i64) - cast(zero, DType::i64), DType::f32);
    return steps * quantization::along_axis(e, q.scale, q, x.rank());
  }
  std::vector<onnx::Value*> inputs{x.value, q.scale};
  if (x->dtype() != DType::i32) inputs.push_back(q.zero_point);
  return e.op("DequantizeLinear", std::move(inputs), quantization::axis_of(q));
}

Expr integers_of(Emit& e, const Tensor& x) {
  if (!x.quantizer) throw ProgramError("the tensor is not quantised");
  return Expr(e, x.value);
}

}  // namespace cameo::aten
