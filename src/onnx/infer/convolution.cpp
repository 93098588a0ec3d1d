#include <fmt/core.h>

#include "onnx/infer/families.h"
#include "onnx/infer/linger.h"
#include "onnx/infer/window.h"

namespace cameo::onnx {
namespace {

void convolve(Inference& f, std::size_t weight_input, DType result) {
  const auto& x = f.shape(0);
  const auto& w = f.shape(weight_input);
  if (!x && !w) return f.set(result, std::nullopt);
  if (!x || !w) return f.set(result, f.fresh_shape((x ? *x : *w).size(), "conv"));
  if (x->size() < 2 || x->size() != w->size())
    f.fail(fmt::format("the input has {} axes, and the weight {}", x->size(), w->size()));
  const auto inputs = known((*x)[1]), taken = known((*w)[1] * f.integer("group", 1));
  if (inputs && taken && *inputs != *taken)
    f.fail(fmt::format("the input has {} channels, and the weight takes {}", *inputs, *taken));
  const std::size_t axes = x->size() - 2;
  const Window window = window_of(f, axes);
  Shape shape{(*x)[0], (*w)[0]};
  for (std::size_t i = 0; i < axes; ++i)
    shape.push_back(window_count(f, window, i, (*x)[i + 2], (*w)[i + 2]));
  f.set(result, shape);
}

void conv(Inference& f) { convolve(f, 1, f.dtype(0)); }
void conv_integer(Inference& f) { convolve(f, 1, DType::i32); }
void q_linear_conv(Inference& f) { convolve(f, 3, f.dtype(7)); }

void linger_conv(Inference& f) { convolve(f, 1, linger_result(f)); }

void transposed(Inference& f, DType result) {
  const auto& x = f.shape(0);
  const auto& w = f.shape(1);
  if (!x && !w) return f.set(result, std::nullopt);
  if (!x || !w) return f.set(result, f.fresh_shape((x ? *x : *w).size(), "conv"));
  if (x->size() < 2 || x->size() != w->size())
    f.fail(fmt::format("the input has {} axes, and the weight {}", x->size(), w->size()));
  const std::size_t axes = x->size() - 2;
  const Window window = window_of(f, axes);
  std::vector<std::int64_t> extra = f.list("output_padding");
  extra.resize(axes, 0);
  const std::vector<std::int64_t> asked = f.list("output_shape");
  if (!asked.empty() && asked.size() != axes) f.fail("output_shape does not fit the number of axes");
  Shape shape{(*x)[0], (*w)[1] * f.integer("group", 1)};
  for (std::size_t i = 0; i < axes; ++i) {
    const Dim reach = ((*w)[i + 2] - 1) * window.dilations[i] + 1;
    if (!asked.empty())
      shape.emplace_back(asked[i]);
    else if (window.auto_pad == "SAME_UPPER" || window.auto_pad == "SAME_LOWER")
      shape.push_back((*x)[i + 2] * window.strides[i]);
    else
      shape.push_back(((*x)[i + 2] - 1) * window.strides[i] + reach + extra[i] - window.pads[i] -
                      window.pads[i + axes]);
  }
  f.set(result, shape);
}

void conv_transpose(Inference& f) { transposed(f, f.dtype(0)); }
void linger_conv_transpose(Inference& f) { transposed(f, linger_result(f)); }

void col_to_image(Inference& f) {
  const auto& x = f.shape(0);
  const Elements image = f.elements(1), block = f.elements(2);
  if (!x || x->size() != 3 || !image) return f.set(f.dtype(0), std::nullopt);
  Dim area = 1;
  if (block)
    for (const Dim& size : *block) area = area * size;
  Shape shape{(*x)[0], block ? sym::floordiv((*x)[1], area) : f.fresh("channels")};
  shape.insert(shape.end(), image->begin(), image->end());
  f.set(f.dtype(0), shape);
}

void causal_conv(Inference& f) {
  f.set_type(0, f.input(0).type);
  const auto& x = f.shape(0);
  const auto& w = f.shape(1);
  if (x && w && x->size() == 3 && w->size() == 3)
    f.set(1, f.dtype(0), Shape{(*x)[0], (*x)[1], (*w)[2] - 1});
  else
    f.set(1, f.dtype(0), f.fresh_shape(3, "state"));
}

constexpr InferRow kConvolution[] = {
    {"linger::QConv1d", linger_conv},
    {"linger::QConvTranspose1d", linger_conv_transpose},
    {"linger::QConvTranspose2d", linger_conv_transpose},
    {"thinker::ConvTranspose2dInt", linger_conv_transpose},
    {"linger::QConv2d", linger_conv},
    {"thinker::Conv1dInt", linger_conv},
    {"thinker::Conv2dInt", linger_conv},
    {"Conv", conv},
    {"ConvInteger", conv_integer},
    {"QLinearConv", q_linear_conv},
    {"ConvTranspose", conv_transpose},
    {"DeformConv", conv},
    {"Col2Im", col_to_image},
    {"CausalConvWithState", causal_conv},
};

}  // namespace

std::span<const InferRow> convolution_inference() { return kConvolution; }

}  // namespace cameo::onnx
