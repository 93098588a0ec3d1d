#pragma once
// Linear layers and convolutions of quantised tensors, as operators of numbers between DequantizeLinear nodes.
// Runtimes recognise this form and compute with the integers.

#include "aten/quantized/calls.h"

namespace cameo::aten::quantized_ops {

// The bias of a layer: i32 integers with the scale x_scale * weight_scale if both are known, else numbers.
// `axis` is the axis of the weight along which the outputs lie.
std::optional<Expr> layer_bias(Emit& e, const Tensor& x, const Tensor& weight,
                               const std::optional<Tensor>& bias, std::int64_t axis);

// The numbers of the layer's result.
Expr linear_numbers(Emit& e, const Tensor& x, const PackedLinear& packed);
Expr conv_numbers(Emit& e, const Tensor& x, const PackedConv& packed);

// A convolution over `axes` dimensions. Archives keep one over one dimension as one over two.
PackedConv over_axes(Emit& e, PackedConv packed, std::int64_t axes);

}  // namespace cameo::aten::quantized_ops
