#include <fmt/core.h>

#include "aten/network/normalization.h"

namespace cameo::aten {
namespace {

// A vector of channels so that it broadcasts over a tensor whose channels are dimension 1.
Expr over_channels(Expr vector, std::int64_t rank) {
  Ints inner;
  for (std::int64_t axis = 1; axis < rank - 1; ++axis) inner.push_back(axis);
  return unsqueeze(vector, inner);
}

}  // namespace

Expr filled(Emit& e, DType dtype, const Shape& shape, double value) {
  return e.expand(e.scalar(dtype, value), shape);
}

Expr given_or(Emit& e, const Optional& given, DType dtype, const Shape& shape, double value) {
  return given ? *given : filled(e, dtype, shape, value);
}

onnx::Attributes with_epsilon(double eps, onnx::Attributes attributes) {
  if (static_cast<float>(eps) != 1e-5f) attributes.push_back({"epsilon", static_cast<float>(eps)});
  return attributes;
}

void check_floating(const Expr& input) {
  if (!is_floating(input.dtype()))
    throw ProgramError(fmt::format("the input must have a floating-point type, not {}", name(input.dtype())));
}

Standardised standardised(Emit& e, Expr x, const Ints& axes, double eps) {
  const Expr over = e.ints(axes);
  const Expr mean = e.op("ReduceMean", {x, over});
  const Expr rest = x - mean;
  const Expr variance = e.op("ReduceMean", {rest * rest, over});
  const Expr deviation = sqrt(variance + eps);
  return {rest / deviation, mean, variance, reciprocal(deviation)};
}

Expr scaled_and_shifted(Expr x, const Optional& weight, const Optional& bias) {
  if (weight) x = x * over_channels(*weight, x->rank());
  return bias ? x + over_channels(*bias, x->rank()) : x;
}

}  // namespace cameo::aten
