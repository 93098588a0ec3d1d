#pragma once
// Shared by the normalisations.

#include <optional>
#include <string_view>
#include <vector>

#include "aten/support.h"

namespace cameo::aten {

using Ints = std::vector<std::int64_t>;
using Optional = std::optional<Expr>;

Expr filled(Emit& e, DType dtype, const Shape& shape, double value);
Expr given_or(Emit& e, const Optional& given, DType dtype, const Shape& shape, double value);
inline Expr value_or_null(const Optional& given) { return given ? *given : Expr(); }

onnx::Attributes with_epsilon(double eps, onnx::Attributes attributes = {});
void check_floating(const Expr& input);

struct Standardised {
  Expr result;
  Expr mean;
  Expr variance;
  Expr inverse_deviation;
};

// (x - mean) / sqrt(variance + eps) over the given axes.
Standardised standardised(Emit& e, Expr x, const Ints& axes, double eps);

// Channels are dimension 1.
Expr scaled_and_shifted(Expr x, const Optional& weight, const Optional& bias);

}  // namespace cameo::aten
