// Activations, pooling and normalisations of quantised tensors.
#include "aten/families.h"
#include "aten/quantization.h"
#include "aten/quantized/calls.h"

namespace cameo::aten {
namespace quantized_functions {
namespace {

using namespace quantized_ops;

Arg numbers(Emit& e, const Tensor& x, std::string_view name) {
  check_quantized(x, name);
  return arg(dequantized(e, x));
}

Tensor hardswish(Emit& e, Tensor input, double scale, std::int64_t zero_point) {
  return output(e, call(e, "aten::hardswish", {numbers(e, input, "input")}), {scale, zero_point}, input);
}
Tensor sigmoid_to(Emit& e, Tensor qx, double scale, std::int64_t zero_point) {
  return output(e, call(e, "aten::sigmoid", {numbers(e, qx, "qx")}), {scale, zero_point}, qx);
}
Tensor softmax(Emit& e, Tensor qx, std::int64_t dim, double scale, std::int64_t zero_point) {
  return output(e, call(e, "aten::softmax", {numbers(e, qx, "qx"), arg(dim)}), {scale, zero_point}, qx);
}
Tensor leaky_relu(Emit& e, Tensor qx, Scalar slope, Ignored, double scale, std::int64_t zero_point) {
  return output(e, call(e, "aten::leaky_relu", {numbers(e, qx, "qx"), arg(slope)}), {scale, zero_point}, qx);
}
Tensor elu(Emit& e, Tensor self, double scale, std::int64_t zero_point, Scalar alpha, Scalar factor,
           Scalar input_scale) {
  const Expr y = call(e, "aten::elu", {numbers(e, self, "self"), arg(alpha), arg(factor), arg(input_scale)});
  return output(e, y, {scale, zero_point}, self);
}
Tensor celu(Emit& e, Tensor self, double scale, std::int64_t zero_point, Scalar alpha) {
  return output(e, call(e, "aten::celu", {numbers(e, self, "self"), arg(alpha)}), {scale, zero_point}, self);
}
Tensor prelu(Emit& e, Tensor qx, Tensor weight, double scale, std::int64_t zero_point) {
  const Expr y = call(e, "aten::prelu", {numbers(e, qx, "qx"), arg(dequantized(e, weight))});
  return output(e, y, {scale, zero_point}, qx);
}

// Operators whose result has the parameters of the tensor.
Tensor clamp(Emit& e, Tensor qx, std::optional<Scalar> least, std::optional<Scalar> most) {
  const Arg low = least ? arg(*least) : arg(None{}), high = most ? arg(*most) : arg(None{});
  return quantized_like(e, call(e, "aten::clamp", {numbers(e, qx, "qx"), low, high}), qx);
}
Tensor threshold(Emit& e, Tensor qx, Scalar limit, Scalar value) {
  return quantized_like(e, call(e, "aten::threshold", {numbers(e, qx, "qx"), arg(limit), arg(value)}), qx);
}
Tensor relu6(Emit& e, Tensor qx, Ignored) {
  return quantized_like(e, call(e, "aten::relu6", {numbers(e, qx, "qx")}), qx);
}
Tensor dropout(Emit& e, Tensor self, Ignored, Ignored, Scalar p, bool training) {
  check_quantized(self, "self");
  return detail::to_tensor(call_all(e, "aten::dropout", {arg(self), arg(p), arg(training)}).at(0));
}

template <int kAxes>
Tensor max_pool(Emit& e, Tensor qx, Ints kernel, Ints stride, Ints padding, Ints dilation, bool ceil_mode) {
  check_quantized(qx, "qx");
  const std::string_view pool = kAxes == 1 ? "aten::max_pool1d" : "aten::max_pool2d";
  return detail::to_tensor(
      call_all(e, pool, {arg(qx), arg(kernel), arg(stride), arg(padding), arg(dilation), arg(ceil_mode)})
          .at(0));
}

template <bool kRelu>
Tensor batch_norm(Emit& e, Tensor qx, std::optional<Expr> weight, std::optional<Expr> bias, Expr mean,
                  Expr var, double eps, double scale, std::int64_t zero_point) {
  const Expr y = call(e, "aten::batch_norm",
                      {numbers(e, qx, "qx"), arg(weight), arg(bias), arg(mean), arg(var), arg(false),
                       arg(0.1), arg(eps), arg(false)});
  return kRelu ? relu_output(e, y, {scale, zero_point}, qx) : output(e, y, {scale, zero_point}, qx);
}
Tensor layer_norm(Emit& e, Tensor input, Ints shape, std::optional<Expr> weight, std::optional<Expr> bias,
                  double eps, double scale, std::int64_t zero_point) {
  const Expr y = call(e, "aten::layer_norm",
                      {numbers(e, input, "input"), arg(shape), arg(weight), arg(bias), arg(eps), arg(false)});
  return output(e, y, {scale, zero_point}, input);
}
Tensor group_norm(Emit& e, Tensor input, std::int64_t groups, std::optional<Expr> weight,
                  std::optional<Expr> bias, double eps, double scale, std::int64_t zero_point) {
  const Expr y =
      call(e, "aten::group_norm",
           {numbers(e, input, "input"), arg(groups), arg(weight), arg(bias), arg(eps), arg(false)});
  return output(e, y, {scale, zero_point}, input);
}
Tensor instance_norm(Emit& e, Tensor input, std::optional<Expr> weight, std::optional<Expr> bias, double eps,
                     double scale, std::int64_t zero_point) {
  const Expr y = call(e, "aten::instance_norm",
                      {numbers(e, input, "input"), arg(weight), arg(bias), arg(None{}), arg(None{}),
                       arg(true), arg(0.1), arg(eps), arg(false)});
  return output(e, y, {scale, zero_point}, input);
}

constexpr OnQuantized kOwn = OnQuantized::own;

constexpr Declaration kFunctions[] = {
    op<hardswish>(
        "quantized::hardswish(Tensor input, float output_scale, int output_zero_point) -> Tensor",
        {.doc = "hardswish of a quantised tensor.", .quantized = kOwn, .sample = "input=qu8[batch,6]"}),
    op<sigmoid_to>("quantized::sigmoid(Tensor qx, float output_scale, int output_zero_point) -> Tensor",
                   {.doc = "sigmoid of a quantised tensor.", .quantized = kOwn, .sample = "qx=qu8[batch,6]"}),
    op<softmax>("quantized::softmax(Tensor qx, int dim, float output_scale, int output_zero_point) -> Tensor",
                {.doc = "softmax of a quantised tensor.", .quantized = kOwn, .sample = "qx=qu8[batch,6]"}),
    op<leaky_relu>(
        "quantized::leaky_relu(Tensor qx, Scalar negative_slope, bool inplace, float output_scale, int "
        "output_zero_point) -> Tensor",
        {.doc = "leaky_relu of a quantised tensor.", .quantized = kOwn, .sample = "qx=qu8[batch,6]"}),
    op<elu>("quantized::elu(Tensor self, float output_scale, int output_zero_point, Scalar alpha=1, Scalar "
            "scale=1, Scalar input_scale=1) -> Tensor",
            {.doc = "elu of a quantised tensor.", .quantized = kOwn, .sample = "self=qu8[batch,6]"}),
    op<celu>(
        "quantized::celu(Tensor self, float output_scale, int output_zero_point, Scalar alpha=1) -> Tensor",
        {.doc = "celu of a quantised tensor.", .quantized = kOwn, .sample = "self=qu8[batch,6]"}),
    op<prelu>(
        "quantized::prelu(Tensor qx, Tensor weight, float output_scale, int output_zero_point) -> Tensor",
        {.doc = "prelu of a quantised tensor.",
         .quantized = kOwn,
         .sample = "qx=qu8[batch,6], weight=qu8[6]"}),
    op<clamp>("quantized::clamp(Tensor qx, Scalar? min=None, Scalar? max=None) -> Tensor",
              {.doc = "Limits the numbers of a quantised tensor.",
               .quantized = kOwn,
               .sample = "qx=qu8[batch,6], min=0.5"}),
    op<threshold>("quantized::threshold(Tensor qx, Scalar threshold, Scalar value) -> Tensor",
                  {.doc = "Replaces the numbers up to a threshold in a quantised tensor.",
                   .quantized = kOwn,
                   .sample = "qx=qu8[batch,6]"}),
    op<relu6>("quantized::relu6(Tensor qx, bool inplace=False) -> Tensor",
              {.doc = "relu6 of a quantised tensor.", .quantized = kOwn, .sample = "qx=qu8[batch,6]"}),
    op<dropout>("quantized::dropout(Tensor self, float output_scale, int output_zero_point, Scalar p=0.5, "
                "bool training=False) -> Tensor",
                {.doc = "The quantised tensor itself.", .quantized = kOwn, .sample = "self=qu8[batch,6]"}),
    op<max_pool<1>>(
        "quantized::max_pool1d(Tensor qx, int[] kernel_size, int[] stride, int[] padding, int[] dilation, "
        "bool ceil_mode) -> Tensor",
        {.doc = "Max pooling of a quantised tensor over one dimension.",
         .quantized = kOwn,
         .sample = "qx=qu8[batch,6,width], kernel_size=[3], stride=[2], padding=[1], dilation=[1]"}),
    op<max_pool<2>>(
        "quantized::max_pool2d(Tensor qx, int[] kernel_size, int[] stride, int[] padding, int[] dilation, "
        "bool ceil_mode) -> Tensor",
        {.doc = "Max pooling of a quantised tensor over two dimensions.",
         .quantized = kOwn,
         .sample =
             "qx=qu8[batch,6,height,width], kernel_size=[3,3], stride=[2,2], padding=[1,1], dilation=[1,1]"}),
    op<max_pool<1>>("aten::quantized_max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] "
                    "padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> Tensor",
                    {.doc = "Max pooling of a quantised tensor over one dimension.",
                     .quantized = kOwn,
                     .sample = "self=qu8[batch,6,width]"}),
    op<max_pool<2>>("aten::quantized_max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
                    "padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor",
                    {.doc = "Max pooling of a quantised tensor over two dimensions.",
                     .quantized = kOwn,
                     .sample = "self=qu8[batch,6,height,width]"}),
    op<batch_norm<false>>(
        "quantized::batch_norm(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, "
        "float output_scale, int output_zero_point) -> Tensor",
        {.doc = "Batch normalisation of a quantised tensor.",
         .quantized = kOwn,
         .aliases = {"quantized::batch_norm1d", "quantized::batch_norm2d", "quantized::batch_norm3d"},
         .sample = "qx=qu8[batch,6,height,width], weight=f32[6], bias=f32[6], mean=f32[6], var=f32[6]"}),
    op<batch_norm<true>>(
        "quantized::batch_norm_relu(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float "
        "eps, float output_scale, int output_zero_point) -> Tensor",
        {.doc = "Batch normalisation of a quantised tensor, with relu.",
         .quantized = kOwn,
         .aliases = {"quantized::batch_norm1d_relu", "quantized::batch_norm2d_relu",
                     "quantized::batch_norm3d_relu"},
         .sample = "qx=qu8[batch,6,height,width], weight=f32[6], bias=f32[6], mean=f32[6], var=f32[6]"}),
    op<batch_norm<false>>(
        "aten::quantized_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, "
        "float eps, float output_scale, int output_zero_point) -> Tensor",
        {.doc = "Batch normalisation of a quantised tensor.",
         .quantized = kOwn,
         .sample = "input=qu8[batch,6,height,width], weight=f32[6], bias=f32[6], mean=f32[6], var=f32[6]"}),
    op<layer_norm>("quantized::layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? "
                   "bias, float eps, float output_scale, int output_zero_point) -> Tensor",
                   {.doc = "Layer normalisation of a quantised tensor.",
                    .quantized = kOwn,
                    .sample = "input=qu8[batch,6], weight=f32[6], bias=f32[6]"}),
    op<group_norm>("quantized::group_norm(Tensor input, int num_groups, Tensor? weight, Tensor? bias, float "
                   "eps, float output_scale, int output_zero_point) -> Tensor",
                   {.doc = "Group normalisation of a quantised tensor.",
                    .quantized = kOwn,
                    .sample = "input=qu8[batch,6,width], num_groups=2, weight=f32[6], bias=f32[6]"}),
    op<instance_norm>("quantized::instance_norm(Tensor input, Tensor? weight, Tensor? bias, float eps, float "
                      "output_scale, int output_zero_point) -> Tensor",
                      {.doc = "Instance normalisation of a quantised tensor.",
                       .quantized = kOwn,
                       .sample = "input=qu8[batch,6,width], weight=f32[6], bias=f32[6]"}),
};

}  // namespace
}  // namespace quantized_functions

std::span<const Declaration> tensor_functions_ops() { return quantized_functions::kFunctions; }

}  // namespace cameo::aten
