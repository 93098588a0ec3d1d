// Layers with quantised weights whose inputs are quantised while they are computed.
#include "aten/families.h"
#include "aten/quantization.h"
#include "aten/quantized/dynamic_layers.h"
#include "aten/quantized/layers.h"

namespace cameo::aten {
namespace dynamic {
namespace {

using namespace quantized_ops;

template <bool kRelu>
Expr linear(Emit& e, Expr x, PackedLinear packed, bool reduce_range) {
  const Expr y = linear_dynamic(e, x, packed, reduce_range);
  return kRelu ? relu(y) : y;
}

template <bool kRelu>
Expr linear_half(Emit& e, Expr x, PackedLinear packed) {
  const Expr y = linear_dynamic(e, x, packed, false);
  return kRelu ? relu(y) : y;
}

// PyTorch gives the result the scale and the zero point of the input.
template <std::int64_t kAxes>
Expr conv(Emit& e, Expr x, PackedConv packed, bool reduce_range) {
  packed = over_axes(e, std::move(packed), kAxes);
  check_quantized(packed.weight, "packed_weight");
  const Tensor input = quantized_dynamically(e, x, reduce_range);
  return dequantized(e, quantized_like(e, conv_numbers(e, input, packed), input));
}

constexpr Declaration kDynamic[] = {
    op<linear<false>>(
        "quantized::linear_dynamic(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase "
        "W_prepack, bool reduce_range=False) -> Tensor",
        {.doc = "A linear layer with quantised weights.",
         .sample = "X=f32[batch,6], W_prepack=[i8[8,6], f32[8]]"}),
    op<linear_half<false>>("quantized::linear_dynamic_fp16(Tensor X, "
                           "__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack) -> Tensor",
                           {.doc = "A linear layer with f16 weights.",
                            .sample = "X=f32[batch,6], W_prepack=[f32[8,6], f32[8]]"}),
    op<linear<true>>(
        "quantized::linear_relu_dynamic(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase "
        "W_prepack, bool reduce_range=False) -> Tensor",
        {.doc = "A linear layer with quantised weights, with relu.",
         .sample = "X=f32[batch,6], W_prepack=[i8[8,6], f32[8]]"}),
    op<linear_half<true>>("quantized::linear_relu_dynamic_fp16(Tensor X, "
                          "__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack) -> Tensor",
                          {.doc = "A linear layer with f16 weights, with relu.",
                           .sample = "X=f32[batch,6], W_prepack=[f32[8,6], f32[8]]"}),
    op<conv<1>>(
        "quantized::conv1d_dynamic(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
        "packed_weight, bool reduce_range=False) -> Tensor",
        {.doc = "Convolution with quantised weights over one dimension.",
         .aliases = {"quantized::conv_transpose1d_dynamic"},
         .sample = "qx=f32[batch,6,width], packed_weight=[i8[8,6,3], f32[8]]"}),
    op<conv<2>>(
        "quantized::conv2d_dynamic(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
        "packed_weight, bool reduce_range=False) -> Tensor",
        {.doc = "Convolution with quantised weights over two dimensions.",
         .aliases = {"quantized::conv_transpose2d_dynamic"},
         .sample = "qx=f32[batch,6,height,width], packed_weight=[i8[8,6,3,3], f32[8]]"}),
    op<conv<3>>(
        "quantized::conv3d_dynamic(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase "
        "packed_weight, bool reduce_range=False) -> Tensor",
        {.doc = "Convolution with quantised weights over three dimensions.",
         .aliases = {"quantized::conv_transpose3d_dynamic"},
         .sample = "qx=f32[batch,6,depth,height,width], packed_weight=[i8[8,6,3,3,3], f32[8]]"}),
};

}  // namespace
}  // namespace dynamic

std::span<const Declaration> packed_dynamic_ops() { return dynamic::kDynamic; }

}  // namespace cameo::aten
