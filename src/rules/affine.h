#pragma once
// y = x·scale + shift, channel by channel: a batch normalisation with fixed statistics.

#include <optional>
#include <vector>

#include "onnx/graph/graph.h"

namespace cameo::rules {

struct Affine {
  std::vector<double> scale, shift;
};

// Nothing if it trains, gives out its statistics, or they are no constants of f32 or f64.
std::optional<Affine> affine_of(const onnx::Node& norm);

// Which channel an element of a weight belongs to: elements stand in runs of `length` of the same channel;
// run r belongs to channel r / block · width + r % width.
struct Channels {
  std::int64_t length = 1, block = 1, width = 1;
};

bool constant_real(const onnx::Value* value);  // f32 or f64

// The weight with each channel scaled, computed at each use.
onnx::DataPtr scaled(const onnx::DataPtr& weight, const Affine& affine, const Channels& channels);
// bias·scale + shift; no bias is zero. One element per channel.
onnx::DataPtr shifted(DType dtype, const onnx::Value* bias, const Affine& affine);

// "conv1.bias" for "conv1.weight".
std::string bias_name(const std::string& weight);

}  // namespace cameo::rules
