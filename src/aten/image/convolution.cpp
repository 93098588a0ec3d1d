// Convolutions and transposed convolutions.
#include <fmt/core.h>

#include <algorithm>

#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Ints = std::vector<std::int64_t>;

// Padding in front of and behind each axis.
struct Padding {
  Ints begin, end;
};

void check_operands(const Expr& input, const Expr& weight) {
  if (!is_floating(input.dtype()))
    throw Unsupported(fmt::format("a convolution of {} is not supported", name(input.dtype())),
                      "convert the input to a floating-point type first");
  if (weight.rank() < 3) throw ProgramError("the weight must have at least three dimensions");
  if (input.rank() != weight.rank() && input.rank() != weight.rank() - 1)
    throw ProgramError(fmt::format("a convolution of a tensor of {} dimensions with a weight of {}",
                                   input.rank(), weight.rank()));
}

// Attributes that say more than their absence would.
onnx::Attributes window_attributes(const Expr& weight, const Ints& stride, const Padding& padding,
                                   const Ints& dilation, std::int64_t groups) {
  onnx::Attributes attributes;
  auto put = [&](const char* key, const Ints& list, std::int64_t usual) {
    if (std::ranges::any_of(list, [&](std::int64_t n) { return n != usual; }))
      attributes.push_back({key, list});
  };
  Ints kernel;
  for (std::int64_t axis = 2; axis < weight.rank(); ++axis)
    if (const auto size = weight.dim(axis).as_constant()) kernel.push_back(*size);
  if (kernel.size() == stride.size()) attributes.push_back({"kernel_shape", kernel});
  put("strides", stride, 1);
  Ints pads = padding.begin;
  pads.insert(pads.end(), padding.end.begin(), padding.end.end());
  put("pads", pads, 0);
  put("dilations", dilation, 1);
  if (groups != 1) attributes.push_back({"group", groups});
  return attributes;
}

// An input without a batch dimension gets one for the while.
template <class Fn>
Expr batched(Emit&, const Expr& input, const Expr& weight, Fn fn) {
  if (input.rank() == weight.rank()) return fn(input);
  return squeeze(fn(unsqueeze(input, {0})), {0});
}

Expr convolve(Emit& e, const Expr& input, const Expr& weight, const std::optional<Expr>& bias,
              const Ints& stride, const Padding& padding, const Ints& dilation, std::int64_t groups) {
  const onnx::Attributes attributes = window_attributes(weight, stride, padding, dilation, groups);
  return batched(e, input, weight, [&](Expr x) {
    return e.op("Conv", {x, weight, bias ? *bias : Expr()}, attributes);
  });
}

std::int64_t window_axes(const Expr& weight) { return weight.rank() - 2; }

Expr conv(Emit& e, Expr input, Expr weight, std::optional<Expr> bias, Ints stride, Ints padding,
          Ints dilation, std::int64_t groups) {
  check_operands(input, weight);
  const std::int64_t axes = window_axes(weight);
  const Ints pads = spread(padding, axes, "padding");
  return convolve(e, input, weight, bias, spread(stride, axes, "stride"), {pads, pads},
                  spread(dilation, axes, "dilation"), groups);
}

// "same" pads so that the size stays; an odd element is added behind.
Expr conv_named_padding(Emit& e, Expr input, Expr weight, std::optional<Expr> bias, Ints stride,
                        std::string padding, Ints dilation, std::int64_t groups) {
  check_operands(input, weight);
  const std::int64_t axes = window_axes(weight);
  const Ints step = spread(stride, axes, "stride"), apart = spread(dilation, axes, "dilation");
  Padding pads{Ints(as_size(axes)), Ints(as_size(axes))};
  if (padding == "same") {
    if (std::ranges::any_of(step, [](std::int64_t n) { return n != 1; }))
      throw ProgramError("padding='same' is not supported for strided convolutions");
    const Ints kernel =
        known_sizes(Shape(weight.shape().begin() + 2, weight.shape().end()), "the kernel of a convolution");
    for (std::size_t i = 0; i < kernel.size(); ++i) {
      const std::int64_t total = apart[i] * (kernel[i] - 1);
      pads.begin[i] = total / 2;
      pads.end[i] = total - total / 2;
    }
  } else if (padding != "valid") {
    throw ProgramError(fmt::format("padding must be 'same' or 'valid', not '{}'", padding));
  }
  return convolve(e, input, weight, bias, step, pads, apart, groups);
}

// torchvision's: each element of the kernel looks where the offsets say, and weighs as the mask does.
Expr deform_conv2d(Emit& e, Expr input, Expr weight, Expr offset, Expr mask, Expr bias, std::int64_t stride_h,
                   std::int64_t stride_w, std::int64_t pad_h, std::int64_t pad_w, std::int64_t dilation_h,
                   std::int64_t dilation_w, std::int64_t groups, std::int64_t offset_groups, bool use_mask) {
  check_operands(input, weight);
  return e.op("DeformConv", {input, weight, offset, bias, use_mask ? mask : nullptr},
              {{"kernel_shape", known_sizes(Shape(weight.shape().begin() + 2, weight.shape().end()),
                                            "the kernel of a convolution")},
               {"strides", Ints{stride_h, stride_w}},
               {"pads", Ints{pad_h, pad_w, pad_h, pad_w}},
               {"dilations", Ints{dilation_h, dilation_w}},
               {"group", groups},
               {"offset_group", offset_groups}});
}

bool any_padding(const Ints& sizes) {
  return std::ranges::any_of(sizes, [](std::int64_t n) { return n != 0; });
}

// Replaces an output padding as large as the stride, which ONNX Runtime rejects, by less padding. Returns the
// rest, for zeros behind the result.
Ints beyond_stride(const Ints& stride, Padding& padding, Ints& extra) {
  Ints left(extra.size());
  for (std::size_t i = 0; i < extra.size(); ++i) {
    if (extra[i] < stride[i]) continue;
    left[i] = std::max<std::int64_t>(extra[i] - padding.end[i], 0);
    padding.end[i] -= extra[i] - left[i];
    extra[i] = 0;
  }
  return left;
}

Expr padded_behind(Emit& e, Expr x, const Ints& sizes) {
  Ints pads(as_size(2 * x->rank()));
  std::ranges::copy_backward(sizes, pads.end());
  return e.op("Pad", {x, e.ints(pads)});
}

// The shape of one number per channel that broadcasts over the dimensions behind it.
Shape channel_shape(const Expr& bias, std::int64_t axes) {
  Shape shape = Shape::filled(axes + 1, 1);
  shape[0] = bias.dim(0);
  return shape;
}

Expr conv_transpose(Emit& e, Expr input, Expr weight, std::optional<Expr> bias, Ints stride, Ints padding,
                    Ints output_padding, std::int64_t groups, Ints dilation) {
  check_operands(input, weight);
  const std::int64_t axes = window_axes(weight);
  const Ints pads = spread(padding, axes, "padding"), step = spread(stride, axes, "stride");
  Padding taken{pads, pads};
  Ints extra = spread(output_padding, axes, "output_padding");
  const Ints behind = beyond_stride(step, taken, extra);
  onnx::Attributes attributes =
      window_attributes(weight, step, taken, spread(dilation, axes, "dilation"), groups);
  if (any_padding(extra)) attributes.push_back({"output_padding", extra});
  const Expr added = bias ? *bias : Expr();
  return batched(e, input, weight, [&](Expr x) {
    if (!any_padding(behind)) return Expr(e.op("ConvTranspose", {x, weight, added}, attributes));
    x = padded_behind(e, e.op("ConvTranspose", {x, weight}, attributes), behind);
    return added.value ? x + reshape(added, channel_shape(*bias, axes)) : x;
  });
}

Expr convolution(Emit& e, Expr input, Expr weight, std::optional<Expr> bias, Ints stride, Ints padding,
                 Ints dilation, bool transposed, Ints output_padding, std::int64_t groups) {
  if (transposed)
    return conv_transpose(e, input, weight, bias, stride, padding, output_padding, groups, dilation);
  return conv(e, input, weight, bias, stride, padding, dilation, groups);
}

Expr convolution_with_flags(Emit& e, Expr input, Expr weight, std::optional<Expr> bias, Ints stride,
                            Ints padding, Ints dilation, bool transposed, Ints output_padding,
                            std::int64_t groups, Ignored, Ignored, Ignored, Ignored) {
  return convolution(e, input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}

// Time, batch, channels; the weight is kernel, inputs, outputs.
Expr conv_tbc(Emit& e, Expr self, Expr weight, Expr bias, std::int64_t pad) {
  const Expr x = transpose(self, {1, 2, 0}), w = transpose(weight, {2, 1, 0});
  return transpose(conv(e, x, w, bias, {1}, {pad}, {1}, 1), {2, 0, 1});
}

constexpr Declaration kConvolution[] = {
    op<conv>("aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] "
             "padding=0, int[1] dilation=1, int groups=1) -> Tensor",
             {.doc = "Convolution over one dimension.",
              .sample = "input=f32[batch,6,width], weight=f32[8,6,3], bias=f32[8], stride=2, padding=1"}),
    op<conv_named_padding>(
        "aten::conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, str "
        "padding=\"valid\", int[1] dilation=1, int groups=1) -> Tensor",
        {.doc = "Convolution over one dimension, padded 'same' or 'valid'.",
         .sample =
             "input=f32[batch,6,width], weight=f32[8,6,3], bias=f32[8], stride=1, padding='same', groups=1"}),
    op<conv>("aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] "
             "padding=0, int[2] dilation=1, int groups=1) -> Tensor",
             {.doc = "Convolution over two dimensions.",
              .sample = "input=f32[batch,6,height,width], weight=f32[8,6,3,3], bias=f32[8]"}),
    op<conv_named_padding>("aten::conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[2] "
                           "stride=1, str padding=\"valid\", int[2] dilation=1, int groups=1) -> Tensor",
                           {.doc = "Convolution over two dimensions, padded 'same' or 'valid'.",
                            .sample = "input=f32[batch,6,height,width], weight=f32[8,6,3,3], bias=f32[8]"}),
    op<conv>("aten::conv3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] "
             "padding=0, int[3] dilation=1, int groups=1) -> Tensor",
             {.doc = "Convolution over three dimensions.",
              .sample = "input=f32[batch,6,depth,height,width], weight=f32[8,6,3,3,3], bias=f32[8]"}),
    op<conv_named_padding>(
        "aten::conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, str "
        "padding=\"valid\", int[3] dilation=1, int groups=1) -> Tensor",
        {.doc = "Convolution over three dimensions, padded 'same' or 'valid'.",
         .sample = "input=f32[batch,6,depth,height,width], weight=f32[8,6,3,3,3], bias=f32[8]"}),
    op<conv_transpose>(
        "aten::conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] "
        "padding=0, int[1] output_padding=0, int groups=1, int[1] dilation=1) -> Tensor",
        {.doc = "Transposed convolution over one dimension.",
         .sample = "input=f32[batch,6,width], weight=f32[6,8,3], bias=f32[8]"}),
    op<conv_transpose>(
        "aten::conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, "
        "int[2] padding=0, int[2] output_padding=0, int groups=1, int[2] dilation=1) -> Tensor",
        {.doc = "Transposed convolution over two dimensions.",
         .sample = "input=f32[batch,6,height,width], weight=f32[6,8,3,3], bias=f32[8]"}),
    op<conv_transpose>(
        "aten::conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, "
        "int[3] padding=0, int[3] output_padding=0, int groups=1, int[3] dilation=1) -> Tensor",
        {.doc = "Transposed convolution over three dimensions.",
         .sample = "input=f32[batch,6,depth,height,width], weight=f32[6,8,3,3,3], bias=f32[8]"}),
    op<convolution_with_flags>(
        "aten::_convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
        "dilation, bool transposed, int[] output_padding, int groups, bool benchmark, bool deterministic, "
        "bool cudnn_enabled, bool allow_tf32=True) -> Tensor",
        {.doc = "Convolution, transposed or not, as traced code calls it.",
         .aliases = {"aten::_convolution.deprecated"},
         .sample = "input=f32[batch,6,height,width], weight=f32[8,6,3,3], bias=f32[8], output_padding=0, "
                   "cudnn_enabled=True"}),
    op<conv_named_padding>(
        "aten::_convolution_mode(Tensor input, Tensor weight, Tensor? bias, int[] stride, str padding, int[] "
        "dilation, int groups) -> Tensor",
        {.doc = "Convolution padded 'same' or 'valid', as traced code calls it.",
         .sample =
             "input=f32[batch,6,width], weight=f32[8,6,3], bias=f32[8], stride=1, padding='same', groups=1"}),
    op<convolution>(
        "aten::convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
        "dilation, bool transposed, int[] output_padding, int groups) -> Tensor",
        {.doc = "Convolution, transposed or not.",
         .sample = "input=f32[batch,6,height,width], weight=f32[8,6,3,3], bias=f32[8], output_padding=0"}),
    op<conv_tbc>("aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor",
                 {.doc = "Convolution over the first dimension of time, batch, channels.",
                  .sample = "self=f32[width,batch,6], weight=f32[3,6,8], bias=f32[8]"}),
    op<deform_conv2d>(
        "torchvision::deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, "
        "int stride_h, int stride_w, int pad_h, int pad_w, int dilation_h, int dilation_w, int groups, int "
        "offset_groups, bool use_mask) -> Tensor",
        {.doc = "A convolution whose kernel's elements are moved by offsets.",
         .sample = "input=f32[batch,6,10,12], weight=f32[8,6,3,3], offset=f32[batch,18,10,12], "
                   "mask=f32[batch,9,10,12], bias=f32[8], stride_h=1, stride_w=1, pad_h=1, pad_w=1, "
                   "dilation_h=1, dilation_w=1, groups=1, offset_groups=1, use_mask=True"}),
};

}  // namespace

std::span<const Declaration> convolution_ops() { return kConvolution; }

}  // namespace cameo::aten
