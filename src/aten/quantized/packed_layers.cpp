// Linear layers and convolutions of quantised tensors, and the objects that hold their weights.
#include "aten/families.h"
#include "aten/quantization.h"
#include "aten/quantized/layers.h"

namespace cameo::aten {
namespace quantized_layers {
namespace {

using namespace quantized_ops;

template <bool kRelu>
Tensor activated(Emit& e, const Expr& numbers, Output parameters, const Tensor& like) {
  return kRelu ? relu_output(e, numbers, parameters, like) : output(e, numbers, parameters, like);
}

template <bool kRelu>
Tensor linear(Emit& e, Tensor x, PackedLinear packed, double scale, std::int64_t zero_point) {
  check_quantized(x, "X");
  const Shape shape = x.shape();
  if (shape.rank() == 2) return activated<kRelu>(e, linear_numbers(e, x, packed), {scale, zero_point}, x);
  const Dim rows = shape.first(shape.rank() - 1).product();
  const Tensor matrix(e.reshape(x.value, {rows, shape[shape.rank() - 1]}), x.quantizer);
  const Tensor y = activated<kRelu>(e, linear_numbers(e, matrix, packed), {scale, zero_point}, x);
  Shape result = shape;
  result[shape.rank() - 1] = packed.weight.dim(0);
  return {e.reshape(y.value, result), y.quantizer};
}

template <std::int64_t kAxes, bool kRelu>
Tensor conv(Emit& e, Tensor x, PackedConv packed, double scale, std::int64_t zero_point) {
  check_quantized(x, "qx");
  return activated<kRelu>(e, conv_numbers(e, x, over_axes(e, std::move(packed), kAxes)), {scale, zero_point},
                          x);
}

// The object decides the numbers that older programs repeat.
template <std::int64_t kAxes, bool kRelu>
Tensor old_conv(Emit& e, Tensor x, PackedConv packed, Ignored, Ignored, Ignored, Ignored, double scale,
                std::int64_t zero_point) {
  return conv<kAxes, kRelu>(e, std::move(x), std::move(packed), scale, zero_point);
}

template <std::int64_t kAxes>
std::string_view class_of() {
  return kAxes == 3 ? kConv3dClass : kConv2dClass;
}

template <std::int64_t kAxes>
Returns conv_prepack(Emit&, Tensor weight, std::optional<Tensor> bias, Ints stride, Ints padding,
                     Ints dilation, std::int64_t groups) {
  check_quantized(weight, "weight");
  return {packed_arg(class_of<kAxes>(),
                     PackedConv{weight, bias, stride, padding, dilation, Ints(stride.size()), groups})};
}

template <std::int64_t kAxes>
Returns transposed_prepack(Emit&, Tensor weight, std::optional<Tensor> bias, Ints stride, Ints padding,
                           Ints output_padding, Ints dilation, std::int64_t groups) {
  check_quantized(weight, "weight");
  return {packed_arg(class_of<kAxes>(),
                     PackedConv{weight, bias, stride, padding, dilation, output_padding, groups, true})};
}

Arg optional_arg(const std::optional<Tensor>& tensor) { return tensor ? Arg{*tensor} : Arg{None{}}; }

template <std::int64_t kAxes>
Returns conv_unpack(Emit& e, PackedConv packed) {
  packed = over_axes(e, std::move(packed), kAxes);
  return {Arg{packed.weight}, optional_arg(packed.bias)};
}

template <Ints PackedConv::*kNumbers>
Returns numbers_of(Emit&, PackedConv packed) {
  return {arg(packed.*kNumbers)};
}
template <auto PackedConv::*kNumber>
Scalar number_of(Emit&, PackedConv packed) {
  return Scalar{Dim(static_cast<std::int64_t>(packed.*kNumber))};
}

Returns linear_prepack(Emit&, Tensor weight, std::optional<Tensor> bias) {
  check_quantized(weight, "W");
  return {packed_arg(kLinearClass, PackedLinear{weight, bias})};
}
Returns linear_prepack_half(Emit&, Expr weight, std::optional<Tensor> bias) {
  return {packed_arg(kLinearClass, PackedLinear{cast(cast(weight, DType::f16), DType::f32), bias})};
}
Returns linear_unpack(Emit&, PackedLinear packed) { return {Arg{packed.weight}, optional_arg(packed.bias)}; }

constexpr Declaration kLayers[] = {
    op<conv<1, false>>(
        "quantized::conv1d(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
        "packed_weight, float output_scale, int output_zero_point) -> Tensor",
        {.doc = "Convolution of quantised tensors over one dimension.",
         .quantized = OnQuantized::own,
         .sample = "qx=qu8[batch,6,width], packed_weight=[i8[8,6,3], f32[8]]"}),
    op<conv<1, true>>(
        "quantized::conv1d_relu(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
        "packed_weight, float output_scale, int output_zero_point) -> Tensor",
        {.doc = "Convolution of quantised tensors over one dimension, with relu.",
         .quantized = OnQuantized::own,
         .sample = "qx=qu8[batch,6,width], packed_weight=[i8[8,6,3], f32[8]]"}),
    op<conv<1, false>>(
        "quantized::conv_transpose1d(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
        "packed_weight, float output_scale, int output_zero_point) -> Tensor",
        {.doc = "Transposed convolution of quantised tensors over one dimension.",
         .quantized = OnQuantized::own,
         .sample = "qx=qu8[batch,6,width], packed_weight=[i8[8,6,3], f32[8]]"}),
    op<conv_prepack<1>>(
        "quantized::conv1d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, "
        "int groups) -> __torch__.torch.classes.quantized.Conv2dPackedParamsBase",
        {.doc = "Keeps the weights of a convolution over one dimension in an object.",
         .quantized = OnQuantized::own,
         .sample = "weight=qi8[8,6,3], bias=f32[8], stride=[1], padding=[0], dilation=[1]"}),
    op<transposed_prepack<1>>(
        "quantized::conv_transpose1d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
        "output_padding, int[] dilation, int groups) -> "
        "__torch__.torch.classes.quantized.Conv2dPackedParamsBase",
        {.doc = "Keeps the weights of a transposed convolution over one dimension in an object.",
         .quantized = OnQuantized::own,
         .sample =
             "weight=qi8[6,8,3], bias=f32[8], stride=[1], padding=[0], output_padding=[0], dilation=[1]"}),
    op<conv_unpack<1>>("quantized::conv1d_unpack(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
                       "packed_weights) -> (Tensor, Tensor?)",
                       {.doc = "The weight and the bias of a convolution over one dimension.",
                        .quantized = OnQuantized::own,
                        .aliases = {"quantized::conv_transpose1d_unpack"},
                        .sample = "packed_weights=[i8[8,6,3], f32[8]]"}),
    op<conv<2, false>>(
        "quantized::conv2d.new(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
        "packed_weight, float output_scale, int output_zero_point) -> Tensor",
        {.doc = "Convolution of quantised tensors over two dimensions.",
         .quantized = OnQuantized::own,
         .sample = "qx=qu8[batch,6,height,width], packed_weight=[i8[8,6,3,3], f32[8]]"}),
    op<old_conv<2, false>>(
        "quantized::conv2d(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase weight, int[] "
        "stride, int[] padding, int[] dilation, int groups, float output_scale, int output_zero_point) -> "
        "Tensor",
        {.doc = "Convolution of quantised tensors over two dimensions, in its older form.",
         .quantized = OnQuantized::own,
         .sample = "qx=qu8[batch,6,height,width], weight=[i8[8,6,3,3], f32[8]], stride=[1], padding=[0], "
                   "dilation=[1]"}),
    op<conv<2, true>>(
        "quantized::conv2d_relu.new(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
        "packed_weight, float output_scale, int output_zero_point) -> Tensor",
        {.doc = "Convolution of quantised tensors over two dimensions, with relu.",
         .quantized = OnQuantized::own,
         .sample = "qx=qu8[batch,6,height,width], packed_weight=[i8[8,6,3,3], f32[8]]"}),
    op<old_conv<2, true>>(
        "quantized::conv2d_relu(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase weight, "
        "int[] stride, int[] padding, int[] dilation, int groups, float output_scale, int output_zero_point) "
        "-> Tensor",
        {.doc = "Convolution of quantised tensors over two dimensions, with relu, in its older form.",
         .quantized = OnQuantized::own,
         .sample = "qx=qu8[batch,6,height,width], weight=[i8[8,6,3,3], f32[8]], stride=[1], padding=[0], "
                   "dilation=[1]"}),
    op<conv<2, false>>(
        "quantized::conv_transpose2d(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
        "packed_weight, float output_scale, int output_zero_point) -> Tensor",
        {.doc = "Transposed convolution of quantised tensors over two dimensions.",
         .quantized = OnQuantized::own,
         .sample = "qx=qu8[batch,6,height,width], packed_weight=[i8[8,6,3,3], f32[8]]"}),
    op<conv_prepack<2>>(
        "quantized::conv2d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, "
        "int groups) -> __torch__.torch.classes.quantized.Conv2dPackedParamsBase",
        {.doc = "Keeps the weights of a convolution over two dimensions in an object.",
         .quantized = OnQuantized::own,
         .aliases = {"quantized::conv_prepack"},
         .sample = "weight=qi8[8,6,3,3], bias=f32[8], stride=[1], padding=[0], dilation=[1]"}),
    op<transposed_prepack<2>>(
        "quantized::conv_transpose2d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
        "output_padding, int[] dilation, int groups) -> "
        "__torch__.torch.classes.quantized.Conv2dPackedParamsBase",
        {.doc = "Keeps the weights of a transposed convolution over two dimensions in an object.",
         .quantized = OnQuantized::own,
         .sample =
             "weight=qi8[6,8,3,3], bias=f32[8], stride=[1], padding=[0], output_padding=[0], dilation=[1]"}),
    op<conv_unpack<2>>("quantized::conv2d_unpack(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
                       "packed_weights) -> (Tensor, Tensor?)",
                       {.doc = "The weight and the bias of a convolution over two dimensions.",
                        .quantized = OnQuantized::own,
                        .aliases = {"quantized::conv_transpose2d_unpack", "quantized::conv_unpack"},
                        .sample = "packed_weights=[i8[8,6,3,3], f32[8]]"}),
    op<numbers_of<&PackedConv::stride>>("quantized::conv2d_stride(__torch__.torch.classes.quantized."
                                        "Conv2dPackedParamsBase packed_weights) -> int[]",
                                        {.doc = "The stride of a convolution.",
                                         .quantized = OnQuantized::own,
                                         .aliases = {"quantized::conv_transpose2d_stride"},
                                         .sample = "packed_weights=[i8[8,6,3,3], f32[8]]"}),
    op<numbers_of<&PackedConv::padding>>("quantized::conv2d_padding(__torch__.torch.classes.quantized."
                                         "Conv2dPackedParamsBase packed_weights) -> int[]",
                                         {.doc = "The padding of a convolution.",
                                          .quantized = OnQuantized::own,
                                          .aliases = {"quantized::conv_transpose2d_padding"},
                                          .sample = "packed_weights=[i8[8,6,3,3], f32[8]]"}),
    op<numbers_of<&PackedConv::dilation>>("quantized::conv2d_dilation(__torch__.torch.classes.quantized."
                                          "Conv2dPackedParamsBase packed_weights) -> int[]",
                                          {.doc = "The dilation of a convolution.",
                                           .quantized = OnQuantized::own,
                                           .aliases = {"quantized::conv_transpose2d_dilation"},
                                           .sample = "packed_weights=[i8[8,6,3,3], f32[8]]"}),
    op<numbers_of<&PackedConv::output_padding>>(
        "quantized::conv_transpose2d_output_padding(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
        "packed_weights) -> int[]",
        {.doc = "The output padding of a convolution.",
         .quantized = OnQuantized::own,
         .sample = "packed_weights=[i8[8,6,3,3], f32[8]]"}),
    op<number_of<&PackedConv::groups>>("quantized::conv2d_groups(__torch__.torch.classes.quantized."
                                       "Conv2dPackedParamsBase packed_weights) -> int",
                                       {.doc = "The groups of a convolution.",
                                        .quantized = OnQuantized::own,
                                        .aliases = {"quantized::conv_transpose2d_groups"},
                                        .sample = "packed_weights=[i8[8,6,3,3], f32[8]]"}),
    op<number_of<&PackedConv::transpose>>("quantized::conv2d_transpose(__torch__.torch.classes.quantized."
                                          "Conv2dPackedParamsBase packed_weights) -> int",
                                          {.doc = "The transpose of a convolution.",
                                           .quantized = OnQuantized::own,
                                           .aliases = {"quantized::conv_transpose2d_transpose"},
                                           .sample = "packed_weights=[i8[8,6,3,3], f32[8]]"}),
    op<conv<3, false>>(
        "quantized::conv3d.new(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase "
        "packed_weight, float output_scale, int output_zero_point) -> Tensor",
        {.doc = "Convolution of quantised tensors over three dimensions.",
         .quantized = OnQuantized::own,
         .sample = "qx=qu8[batch,6,depth,height,width], packed_weight=[i8[8,6,3,3,3], f32[8]]"}),
    op<old_conv<3, false>>(
        "quantized::conv3d(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase weight, int[] "
        "stride, int[] padding, int[] dilation, int groups, float output_scale, int output_zero_point) -> "
        "Tensor",
        {.doc = "Convolution of quantised tensors over three dimensions, in its older form.",
         .quantized = OnQuantized::own,
         .sample = "qx=qu8[batch,6,depth,height,width], weight=[i8[8,6,3,3,3], f32[8]], stride=[1], "
                   "padding=[0], dilation=[1]"}),
    op<conv<3, true>>(
        "quantized::conv3d_relu.new(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase "
        "packed_weight, float output_scale, int output_zero_point) -> Tensor",
        {.doc = "Convolution of quantised tensors over three dimensions, with relu.",
         .quantized = OnQuantized::own,
         .sample = "qx=qu8[batch,6,depth,height,width], packed_weight=[i8[8,6,3,3,3], f32[8]]"}),
    op<old_conv<3, true>>(
        "quantized::conv3d_relu(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase weight, "
        "int[] stride, int[] padding, int[] dilation, int groups, float output_scale, int output_zero_point) "
        "-> Tensor",
        {.doc = "Convolution of quantised tensors over three dimensions, with relu, in its older form.",
         .quantized = OnQuantized::own,
         .sample = "qx=qu8[batch,6,depth,height,width], weight=[i8[8,6,3,3,3], f32[8]], stride=[1], "
                   "padding=[0], dilation=[1]"}),
    op<conv<3, false>>(
        "quantized::conv_transpose3d(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase "
        "packed_weight, float output_scale, int output_zero_point) -> Tensor",
        {.doc = "Transposed convolution of quantised tensors over three dimensions.",
         .quantized = OnQuantized::own,
         .sample = "qx=qu8[batch,6,depth,height,width], packed_weight=[i8[8,6,3,3,3], f32[8]]"}),
    op<conv_prepack<3>>(
        "quantized::conv3d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, "
        "int groups) -> __torch__.torch.classes.quantized.Conv3dPackedParamsBase",
        {.doc = "Keeps the weights of a convolution over three dimensions in an object.",
         .quantized = OnQuantized::own,
         .sample = "weight=qi8[8,6,3,3,3], bias=f32[8], stride=[1], padding=[0], dilation=[1]"}),
    op<transposed_prepack<3>>(
        "quantized::conv_transpose3d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
        "output_padding, int[] dilation, int groups) -> "
        "__torch__.torch.classes.quantized.Conv3dPackedParamsBase",
        {.doc = "Keeps the weights of a transposed convolution over three dimensions in an object.",
         .quantized = OnQuantized::own,
         .sample = "weight=qi8[6,8,3,3,3], bias=f32[8], stride=[1], padding=[0], output_padding=[0], "
                   "dilation=[1]"}),
    op<conv_unpack<3>>("quantized::conv3d_unpack(__torch__.torch.classes.quantized.Conv3dPackedParamsBase "
                       "packed_weights) -> (Tensor, Tensor?)",
                       {.doc = "The weight and the bias of a convolution over three dimensions.",
                        .quantized = OnQuantized::own,
                        .aliases = {"quantized::conv_transpose3d_unpack"},
                        .sample = "packed_weights=[i8[8,6,3,3,3], f32[8]]"}),
    op<numbers_of<&PackedConv::stride>>("quantized::conv3d_stride(__torch__.torch.classes.quantized."
                                        "Conv3dPackedParamsBase packed_weights) -> int[]",
                                        {.doc = "The stride of a convolution.",
                                         .quantized = OnQuantized::own,
                                         .aliases = {"quantized::conv_transpose3d_stride"},
                                         .sample = "packed_weights=[i8[8,6,3,3,3], f32[8]]"}),
    op<numbers_of<&PackedConv::padding>>("quantized::conv3d_padding(__torch__.torch.classes.quantized."
                                         "Conv3dPackedParamsBase packed_weights) -> int[]",
                                         {.doc = "The padding of a convolution.",
                                          .quantized = OnQuantized::own,
                                          .aliases = {"quantized::conv_transpose3d_padding"},
                                          .sample = "packed_weights=[i8[8,6,3,3,3], f32[8]]"}),
    op<numbers_of<&PackedConv::dilation>>("quantized::conv3d_dilation(__torch__.torch.classes.quantized."
                                          "Conv3dPackedParamsBase packed_weights) -> int[]",
                                          {.doc = "The dilation of a convolution.",
                                           .quantized = OnQuantized::own,
                                           .aliases = {"quantized::conv_transpose3d_dilation"},
                                           .sample = "packed_weights=[i8[8,6,3,3,3], f32[8]]"}),
    op<numbers_of<&PackedConv::output_padding>>("quantized::conv3d_output_padding(__torch__.torch.classes."
                                                "quantized.Conv3dPackedParamsBase packed_weights) -> int[]",
                                                {.doc = "The output padding of a convolution.",
                                                 .quantized = OnQuantized::own,
                                                 .aliases = {"quantized::conv_transpose3d_output_padding"},
                                                 .sample = "packed_weights=[i8[8,6,3,3,3], f32[8]]"}),
    op<number_of<&PackedConv::groups>>("quantized::conv3d_groups(__torch__.torch.classes.quantized."
                                       "Conv3dPackedParamsBase packed_weights) -> int",
                                       {.doc = "The groups of a convolution.",
                                        .quantized = OnQuantized::own,
                                        .aliases = {"quantized::conv_transpose3d_groups"},
                                        .sample = "packed_weights=[i8[8,6,3,3,3], f32[8]]"}),
    op<number_of<&PackedConv::transpose>>("quantized::conv3d_transpose(__torch__.torch.classes.quantized."
                                          "Conv3dPackedParamsBase packed_weights) -> int",
                                          {.doc = "The transpose of a convolution.",
                                           .quantized = OnQuantized::own,
                                           .aliases = {"quantized::conv_transpose3d_transpose"},
                                           .sample = "packed_weights=[i8[8,6,3,3,3], f32[8]]"}),
    op<linear<false>>("quantized::linear(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase "
                      "W_prepack, float Y_scale_i, int Y_zero_point_i) -> Tensor",
                      {.doc = "A linear layer of quantised tensors.",
                       .quantized = OnQuantized::own,
                       .sample = "X=qu8[batch,6], W_prepack=[i8[8,6], f32[8]]"}),
    op<linear<true>>(
        "quantized::linear_relu(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase "
        "W_prepack, float Y_scale_i, int Y_zero_point_i) -> Tensor",
        {.doc = "A linear layer of quantised tensors, with relu.",
         .quantized = OnQuantized::own,
         .sample = "X=qu8[batch,6], W_prepack=[i8[8,6], f32[8]]"}),
    op<linear_prepack>("quantized::linear_prepack(Tensor W, Tensor? B=None) -> "
                       "__torch__.torch.classes.quantized.LinearPackedParamsBase",
                       {.doc = "Keeps the weights of a linear layer in an object.",
                        .quantized = OnQuantized::own,
                        .sample = "W=qi8[8,6], B=f32[8]"}),
    op<linear_prepack_half>("quantized::linear_prepack_fp16(Tensor W, Tensor? B=None) -> "
                            "__torch__.torch.classes.quantized.LinearPackedParamsBase",
                            {.doc = "Keeps the weights of a linear layer in an object, rounded to f16.",
                             .sample = "W=f32[8,6], B=f32[8]"}),
    op<linear_unpack>("quantized::linear_unpack(__torch__.torch.classes.quantized.LinearPackedParamsBase "
                      "W_prepack) -> (Tensor, Tensor?)",
                      {.doc = "The weight and the bias of a linear layer.",
                       .quantized = OnQuantized::own,
                       .aliases = {"quantized::linear_unpack_fp16"},
                       .sample = "W_prepack=[i8[8,6], f32[8]]"}),
};

}  // namespace
}  // namespace quantized_layers

std::span<const Declaration> packed_layers_ops() { return quantized_layers::kLayers; }

}  // namespace cameo::aten
