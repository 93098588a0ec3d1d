#pragma once
// What the normalisations share.

#include <optional>
#include <string_view>
#include <vector>

#include "aten/support.h"

namespace cameo::aten {

using Ints = std::vector<std::int64_t>;
using Optional = std::optional<Tensor>;

onnx::Value* filled(Emit& e, DType dtype, const Shape& shape, double value);
onnx::Value* given_or(Emit& e, const Optional& given, DType dtype, const Shape& shape, double value);
inline onnx::Value* value_or_null(const Optional& given) { return given ? given->value : nullptr; }

onnx::Attributes with_epsilon(double eps, onnx::Attributes attributes = {});
void check_floating(const Tensor& input);

struct Standardised {
  onnx::Value* result;
  onnx::Value* mean;
  onnx::Value* variance;
  onnx::Value* inverse_deviation;
};

// (x - mean) / sqrt(variance + eps) over the given axes.
Standardised standardised(Emit& e, onnx::Value* x, const Ints& axes, double eps);

// Channels are dimension 1.
onnx::Value* scaled_and_shifted(Emit& e, onnx::Value* x, const Optional& weight, const Optional& bias);

}  // namespace cameo::aten
