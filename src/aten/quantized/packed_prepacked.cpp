// Layers of programs that were optimised for mobile devices or for MKL-DNN: weights in C++ objects, activations
// fused.
#include "aten/families.h"
#include "aten/quantized/calls.h"

namespace cameo::aten {
namespace prepacked {
namespace {

using namespace quantized_ops;

std::optional<double> bound_of(const std::optional<Scalar>& number, std::string_view name) {
  return number ? std::optional(known_number(*number, name)) : std::nullopt;
}

std::optional<Expr> bias_of(Emit& e, const std::optional<Tensor>& bias) {
  return bias ? std::optional(Expr(e, *bias)) : std::nullopt;
}

Expr clamped(Emit& e, const Expr& x, const Clamp& clamp) {
  if (clamp.min == 0 && !clamp.max) return relu(x);
  if (!clamp.min && !clamp.max) return x;
  return call(e, "aten::clamp",
              {arg(x), clamp.min ? arg(*clamp.min) : arg(None{}), clamp.max ? arg(*clamp.max) : arg(None{})});
}

Returns linear_prepack(Emit&, Tensor weight, std::optional<Tensor> bias, std::optional<Scalar> least,
                       std::optional<Scalar> most) {
  return {
      packed_arg(kXnnLinearClass,
                 PackedLinear{weight, bias, {bound_of(least, "output_min"), bound_of(most, "output_max")}})};
}

Expr linear_run(Emit& e, Expr x, PackedLinear packed) {
  const Expr weight(e, packed.weight);
  return clamped(e, call(e, "aten::linear", {arg(x), arg(weight), arg(bias_of(e, packed.bias))}),
                 packed.clamp);
}

Returns conv_prepack(Emit&, Tensor weight, std::optional<Tensor> bias, Ints stride, Ints padding,
                     Ints dilation, std::int64_t groups, std::optional<Scalar> least,
                     std::optional<Scalar> most) {
  PackedConv packed{weight, bias, stride, padding, dilation, Ints(stride.size()), groups};
  packed.clamp = {bound_of(least, "output_min"), bound_of(most, "output_max")};
  return {packed_arg(kXnnConvClass, std::move(packed))};
}

Returns transposed_prepack(Emit&, Tensor weight, std::optional<Tensor> bias, Ints stride, Ints padding,
                           Ints output_padding, Ints dilation, std::int64_t groups,
                           std::optional<Scalar> least, std::optional<Scalar> most) {
  PackedConv packed{weight, bias, stride, padding, dilation, output_padding, groups, true};
  packed.clamp = {bound_of(least, "output_min"), bound_of(most, "output_max")};
  return {packed_arg(kXnnTransposedClass, std::move(packed))};
}

Expr conv_run(Emit& e, Expr x, PackedConv packed) {
  const Expr y =
      call(e, "aten::convolution",
           {arg(x), arg(packed.weight), arg(bias_of(e, packed.bias)), arg(packed.stride), arg(packed.padding),
            arg(packed.dilation), arg(packed.transpose), arg(packed.output_padding), arg(packed.groups)});
  return clamped(e, y, packed.clamp);
}

Returns mkldnn_prepack(Emit&, Tensor weight, std::optional<Tensor> bias, Ints stride, Ints padding,
                       Ints dilation, std::int64_t groups, Ignored, std::string activation) {
  PackedConv packed{weight, bias, stride, padding, dilation, Ints(stride.size()), groups};
  packed.activation = activation;
  return {packed_arg(kMkldnnConvClass, std::move(packed))};
}

Expr mkldnn_run(Emit& e, Expr x, PackedConv packed) {
  const Expr y = conv_run(e, x, packed);
  if (packed.activation.empty() || packed.activation == "none") return y;
  if (packed.activation == "relu") return relu(y);
  throw Unsupported("the fused activation '" + packed.activation + "' is not supported");
}

template <class Other>
Expr add_relu(Emit& e, Expr self, Other other, Scalar alpha) {
  const Returns sum = call_all(e, "aten::add", {arg(self), arg(other)}, {{"alpha", arg(alpha)}});
  return relu(Expr(e, detail::to_tensor(sum.at(0))));
}

// The memory format of MKL-DNN has no meaning for ONNX.
Expr to_format(Emit& e, Expr self, std::optional<DType> dtype) {
  return dtype ? Expr(e.cast(self, *dtype)) : self;
}

constexpr Declaration kPrepacked[] = {
    op<linear_prepack>(
        "prepacked::linear_clamp_prepack(Tensor W, Tensor? B=None, Scalar? output_min=None, Scalar? "
        "output_max=None) -> __torch__.torch.classes.xnnpack.LinearOpContext",
        {.doc = "Keeps the weights of a linear layer in an object.", .sample = "W=f32[8,6], B=f32[8]"}),
    op<linear_run>("prepacked::linear_clamp_run(Tensor X, __torch__.torch.classes.xnnpack.LinearOpContext "
                   "W_prepack) -> Tensor",
                   {.doc = "A linear layer, with its activation.",
                    .sample = "X=f32[batch,6], W_prepack=[f32[8,6], f32[8]]"}),
    op<conv_prepack>(
        "prepacked::conv2d_clamp_prepack(Tensor W, Tensor? B, int[2] stride, int[2] padding, int[2] "
        "dilation, "
        "int groups, Scalar? output_min=None, Scalar? output_max=None) -> "
        "__torch__.torch.classes.xnnpack.Conv2dOpContext",
        {.doc = "Keeps the weights of a convolution in an object.", .sample = "W=f32[8,6,3,3], B=f32[8]"}),
    op<conv_run>("prepacked::conv2d_clamp_run(Tensor X, __torch__.torch.classes.xnnpack.Conv2dOpContext "
                 "W_prepack) -> Tensor",
                 {.doc = "Convolution over two dimensions, with its activation.",
                  .sample = "X=f32[batch,6,height,width], W_prepack=[f32[8,6,3,3], f32[8]]"}),
    op<transposed_prepack>(
        "prepacked::conv2d_transpose_clamp_prepack(Tensor W, Tensor? B, int[2] stride, int[2] padding, "
        "int[2] "
        "output_padding, int[2] dilation, int groups, Scalar? output_min=None, Scalar? output_max=None) -> "
        "__torch__.torch.classes.xnnpack.TransposeConv2dOpContext",
        {.doc = "Keeps the weights of a transposed convolution in an object.",
         .sample = "W=f32[6,8,3,3], B=f32[8], output_padding=0"}),
    op<conv_run>("prepacked::conv2d_transpose_clamp_run(Tensor X, "
                 "__torch__.torch.classes.xnnpack.TransposeConv2dOpContext W_prepack) -> Tensor",
                 {.doc = "Transposed convolution over two dimensions, with its activation.",
                  .sample = "X=f32[batch,6,height,width], W_prepack=[f32[6,8,3,3], f32[8]]"}),
    op<mkldnn_prepack>(
        "mkldnn_prepacked::conv2d_prepack(Tensor W, Tensor? B, int[2] stride, int[2] padding, int[2] "
        "dilation, "
        "int groups, int[4] input_size, str attr) -> __torch__.torch.classes.mkldnn.ConvOpContext",
        {.doc = "Keeps the weights of a convolution in an object.",
         .sample = "W=f32[8,6,3,3], B=f32[8], input_size=8, attr='none'"}),
    op<mkldnn_run>("mkldnn_prepacked::conv2d_run(Tensor X, __torch__.torch.classes.mkldnn.ConvOpContext "
                   "W_prepack) -> Tensor",
                   {.doc = "Convolution over two dimensions, with its activation.",
                    .sample = "X=f32[batch,6,height,width], W_prepack=[f32[8,6,3,3], f32[8]]"}),
    op<add_relu<Expr>>("aten::_add_relu.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                       {.doc = "relu(a + alpha b)."}),
    op<add_relu<Scalar>>("aten::_add_relu.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
                         {.doc = "relu(a + alpha b), b a number."}),
    op<to_format>("aten::to_mkldnn(Tensor self, ScalarType? dtype=None) -> Tensor",
                  {.doc = "The tensor itself.", .result = Result::same}),
    op<to_format>("aten::to_dense(Tensor self, ScalarType? dtype=None) -> Tensor",
                  {.doc = "The tensor itself.", .result = Result::same}),
};

}  // namespace
}  // namespace prepacked

std::span<const Declaration> packed_prepacked_ops() { return prepacked::kPrepacked; }

}  // namespace cameo::aten
