#pragma once
// The C++ classes that hold prepacked weights of quantized and mobile-optimised modules, decoded from their
// pickled state into plain structs. A missing bias is null.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "archive/value.h"

namespace cameo::archive {

// The bounds of a fused activation; absent ones are open.
struct Clamp {
  std::optional<double> min, max;
};

// quantized.LinearPackedParamsBase, xnnpack.LinearOpContext
struct PackedLinear {
  TensorPtr weight, bias;
  Clamp clamp;
};

// quantized.Conv2dPackedParamsBase, quantized.Conv3dPackedParamsBase, xnnpack.Conv2dOpContext,
// xnnpack.TransposeConv2dOpContext, mkldnn.ConvOpContext. One entry a spatial dimension; a 1-d convolution is kept as a 2-d one.
struct PackedConv {
  TensorPtr weight, bias;
  std::vector<std::int64_t> stride, padding, dilation, output_padding;
  std::int64_t groups = 1;
  bool transpose = false;
  Clamp clamp;
  std::string activation;  // of mkldnn: "none", "relu" or another name
};

// quantized.EmbeddingPackedParamsBase
struct PackedEmbedding {
  TensorPtr weight;
  std::int64_t bit_rate = 8;
};

// rnn.CellParamsBase. `kind` "quantized": tensors {w_ih, w_hh, b_ih, b_hh, col_offsets_ih, col_offsets_hh},
// scales {ih, hh}, zero points in `integers`. "quantized_dynamic": tensors {b_ih, b_hh}, integers
// {reduce_range}, linears {ih, hh}. "quantized_fp16": linears {ih, hh}.
struct PackedCell {
  std::string kind;
  std::vector<TensorPtr> tensors;
  std::vector<double> scales;
  std::vector<std::int64_t> integers;
  std::vector<PackedLinear> linears;
};

using PackedParams = std::variant<PackedLinear, PackedConv, PackedEmbedding, PackedCell>;

// Empty if the object is of another class. Throws Error if the state is in no known encoding.
std::optional<PackedParams> decode_packed_params(const Object& object);

}  // namespace cameo::archive
