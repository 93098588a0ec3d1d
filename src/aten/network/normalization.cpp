// Normalisation of layers and groups by mean and variance, or by the mean square.
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "aten/families.h"
#include "aten/network/normalization.h"
#include "aten/reduce.h"

namespace cameo::aten {
namespace {

void check_normalized_shape(Emit& e, const Expr& input, const Shape& normalized_shape) {
  check_floating(input);
  const std::size_t rank = input.shape().size(), count = normalized_shape.size();
  bool fits = count > 0 && count <= rank;
  for (std::size_t i = 0; fits && i < count; ++i)
    fits = e.sym().equal(input.shape()[rank - count + i], normalized_shape[i]) != sym::Truth::no;
  if (!fits) throw ProgramError("the normalized shape does not fit the last dimensions of the input");
}

onnx::Attributes from_axis(const Shape& normalized_shape, double eps) {
  onnx::Attributes attributes;
  if (const auto count = normalized_shape.rank(); count != 1) attributes.push_back({"axis", -count});
  return with_epsilon(eps, std::move(attributes));
}

std::vector<onnx::Value*> layer_inputs(const Expr& input, const Shape& normalized_shape,
                                       const Optional& weight, const Optional& bias) {
  return {input, given_or(*input.e, weight, input.dtype(), normalized_shape, 1), value_or_null(bias)};
}

Expr layer_norm(Emit& e, Expr input, Shape normalized_shape, Optional weight, Optional bias, double eps,
                Ignored) {
  check_normalized_shape(e, input, normalized_shape);
  return e.op("LayerNormalization", layer_inputs(input, normalized_shape, weight, bias),
              from_axis(normalized_shape, eps));
}

// ONNX gives the statistics as f32.
std::vector<Expr> native_layer_norm(Emit& e, Expr input, Shape normalized_shape, Optional weight,
                                    Optional bias, double eps) {
  check_normalized_shape(e, input, normalized_shape);
  if (input.dtype() == DType::f64) {
    const Standardised stats = standardised(e, input, last_axes(input, normalized_shape.rank()), eps);
    return {layer_norm(e, input, normalized_shape, weight, bias, eps, {}), stats.mean,
            stats.inverse_deviation};
  }
  const std::vector<Expr> out =
      ops(e, "LayerNormalization", layer_inputs(input, normalized_shape, weight, bias),
          from_axis(normalized_shape, eps), 3);
  return {out[0], cast(out[1], input.dtype()), cast(out[2], input.dtype())};
}

// The last dimension holds all that one group of one instance is made of.
Expr grouped(Emit& e, const Expr& input, std::int64_t groups) {
  if (groups < 1) throw ProgramError("the number of groups must be positive");
  if (e.sym().divisible(input.dim(1), groups) == sym::Truth::no)
    throw ProgramError("the number of channels must be divisible by the number of groups");
  Dim each = sym::floordiv(input.dim(1), groups);
  for (std::int64_t axis = 2; axis < input.rank(); ++axis) each = each * input.dim(axis);
  return reshape(input, {input.dim(0), groups, each});
}

Expr group_norm(Emit& e, Expr input, std::int64_t num_groups, Optional weight, Optional bias, double eps,
                Ignored) {
  check_floating(input);
  if (input.rank() < 2) throw ProgramError("the input must have at least two dimensions");
  const Shape channels{input.dim(1)};
  if (input.dtype() != DType::f64 && weight && bias)
    return e.op("GroupNormalization", {input, *weight, *bias},
                with_epsilon(eps, {{"num_groups", num_groups}}));
  Expr x = grouped(e, input, num_groups);
  if (input.dtype() == DType::f64)
    x = standardised(e, x, {2}, eps).result;
  else
    x = e.op("InstanceNormalization",
             {x, filled(e, input.dtype(), {num_groups}, 1), filled(e, input.dtype(), {num_groups}, 0)},
             with_epsilon(eps));
  return scaled_and_shifted(reshape(x, input.shape()), weight, bias);
}

std::vector<Expr> native_group_norm(Emit& e, Expr input, Optional weight, Optional bias, Ignored, Ignored,
                                    Ignored, std::int64_t group, double eps) {
  const Expr out = group_norm(e, input, group, weight, bias, eps, {});
  const Standardised stats = standardised(e, grouped(e, input, group), {2}, eps);
  return {out, squeeze(stats.mean, {2}), squeeze(stats.inverse_deviation, {2})};
}

// The number that rms_norm adds to the mean square by default. Half precision is computed in f32. PyTorch
// before 2.9 took the step of the dtype itself.
double smallest_step(DType dtype) {
  return dtype == DType::f64 ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
}

Expr wide(const Expr& input) { return cast(input, input.dtype() == DType::f64 ? DType::f64 : DType::f32); }
Expr mean_square(Emit& e, const Expr& input, const Shape& normalized_shape) {
  const Expr x = wide(input);
  return e.op("ReduceMean", {x * x, e.ints(last_axes(input, normalized_shape.rank()))});
}

Expr rms_norm(Emit& e, Expr input, Shape normalized_shape, Optional weight, std::optional<double> eps) {
  check_normalized_shape(e, input, normalized_shape);
  const double added = eps.value_or(smallest_step(input.dtype()));
  if (weight) return e.op("RMSNormalization", {input, *weight}, from_axis(normalized_shape, added));
  return cast(wide(input) / sqrt(mean_square(e, input, normalized_shape) + added), input.dtype());
}

// rms_norm and what it multiplies by.
std::vector<Expr> fused_rms_norm(Emit& e, Expr input, Shape normalized_shape, Optional weight,
                                 std::optional<double> eps) {
  const double added = eps.value_or(smallest_step(input.dtype()));
  const Expr out = rms_norm(e, input, normalized_shape, weight, added);
  return {out, reciprocal(sqrt(mean_square(e, input, normalized_shape) + added))};
}

// The norm over all dimensions but `dim`; over all of them for dim -1.
Expr norm_except_dim(Emit&, Expr v, double power, std::int64_t dim) {
  if (dim == -1) return vector_norm(v, power, all_axes(v), false);
  Ints axes;
  for (std::int64_t axis = 0; axis < v.rank(); ++axis)
    if (axis != v.wrap(dim)) axes.push_back(axis);
  return vector_norm(v, power, axes, true);
}
Expr norm_except(Emit& e, Expr v, std::int64_t pow, std::int64_t dim) {
  return norm_except_dim(e, v, static_cast<double>(pow), dim);
}

// v scaled so that its norm is g.
Expr weight_norm(Emit& e, Expr v, Expr g, std::int64_t dim) {
  return v * (g / norm_except_dim(e, v, 2, dim));
}
std::vector<Expr> weight_norm_interface(Emit& e, Expr v, Expr g, std::int64_t dim) {
  const Expr norm = norm_except_dim(e, v, 2, v.wrap(dim));
  return {v * (g / norm), norm};
}

constexpr Declaration kNormalization[] = {
    op<layer_norm>("aten::layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? "
                   "bias=None, float eps=1e-05, bool cudnn_enable=True) -> Tensor",
                   {.doc = "Normalises over the last dimensions.",
                    .sample = "input=f32[batch,width,6], weight=f32[6], bias=f32[6]"}),
    op<native_layer_norm>("aten::native_layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, "
                          "Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)",
                          {.doc = "layer_norm with mean and inverse deviation.",
                           .sample = "input=f32[batch,width,6], weight=f32[6], bias=f32[6]"}),
    op<group_norm>("aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, "
                   "float eps=1e-05, bool cudnn_enabled=True) -> Tensor",
                   {.doc = "Normalises over groups of channels.",
                    .sample = "input=f32[batch,6,height,width], num_groups=2, weight=f32[6], bias=f32[6]"}),
    op<native_group_norm>(
        "aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, int N, int C, int HxW, int "
        "group, float eps) -> (Tensor, Tensor, Tensor)",
        {.doc = "group_norm with mean and inverse deviation.",
         .sample =
             "input=f32[batch,6,height,width], N=4, C=6, HxW=120, group=2, weight=f32[6], bias=f32[6]"}),
    op<rms_norm>("aten::rms_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None) "
                 "-> Tensor",
                 {.doc = "Divides by the root of the mean square over the last dimensions.",
                  .sample = "input=f32[batch,width,6], weight=f32[6]"}),
    op<weight_norm>("aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor",
                    {.doc = "A weight of given norm and direction.", .sample = "v=f32[8,6], g=f32[8,1]"}),
    op<weight_norm_interface>(
        "aten::_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)",
        {.doc = "A weight of given norm and direction, and the norm before.",
         .sample = "v=f32[8,6], g=f32[8,1]"}),
    op<norm_except>("aten::norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor",
                    {.doc = "The norm over all dimensions but one."}),
    op<fused_rms_norm>("aten::_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? "
                       "eps) -> (Tensor, Tensor)",
                       {.doc = "rms_norm, and what it multiplies by.",
                        .sample = "input=f32[batch,width,6], weight=f32[6], eps=1e-05"}),
};

}  // namespace

std::span<const Declaration> normalization_ops() { return kNormalization; }

}  // namespace cameo::aten
