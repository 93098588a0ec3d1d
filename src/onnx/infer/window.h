#pragma once
// Sizes of the results of sliding windows: convolution and pooling.

#include "onnx/infer/infer.h"

namespace cameo::onnx {

struct Window {
  std::vector<std::int64_t> strides, dilations, pads;  // pads: all begins, then all ends
  std::string_view auto_pad;
  bool ceil = false;
};

Window window_of(const Inference& f, std::size_t axes);

// One axis: floor((in + pads - dilation*(kernel-1) - 1) / stride) + 1.
Dim window_count(Inference& f, const Window& window, std::size_t axis, const Dim& size, const Dim& kernel);

}  // namespace cameo::onnx
