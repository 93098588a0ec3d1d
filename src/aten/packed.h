#pragma once
// C++ objects that hold the weights of quantised and mobile-optimised layers, as arguments of converters. A
// call of `quantized::linear_prepack` makes one at export time; others are read from the archive.

#include <string>
#include <variant>
#include <vector>

#include "aten/arg.h"

namespace cameo::aten {

// The bounds of a fused activation; absent ones are open.
struct Clamp {
  std::optional<double> min, max;
};

struct PackedLinear {
  Tensor weight;
  std::optional<Tensor> bias;
  Clamp clamp{};
};

// One entry per spatial dimension. Archives keep the weight of a convolution over one dimension with two.
struct PackedConv {
  Tensor weight;
  std::optional<Tensor> bias;
  std::vector<std::int64_t> stride, padding, dilation, output_padding;
  std::int64_t groups = 1;
  bool transpose = false;
  Clamp clamp{};
  std::string activation;  // of MKL-DNN: "none" or "relu"
};

struct PackedEmbedding {
  Tensor weight;
  std::int64_t bits = 8;
};

// The weights of one layer and direction of a recurrent network.
struct PackedCell {
  PackedLinear input, hidden;
  bool dynamic = false;  // activations are quantised while they are computed
  bool reduce_range = false;
};

// The classes, as schemas name them.
inline constexpr std::string_view kLinearClass = "__torch__.torch.classes.quantized.LinearPackedParamsBase";
inline constexpr std::string_view kConv2dClass = "__torch__.torch.classes.quantized.Conv2dPackedParamsBase";
inline constexpr std::string_view kConv3dClass = "__torch__.torch.classes.quantized.Conv3dPackedParamsBase";
inline constexpr std::string_view kEmbeddingClass =
    "__torch__.torch.classes.quantized.EmbeddingPackedParamsBase";
inline constexpr std::string_view kCellClass = "__torch__.torch.classes.rnn.CellParamsBase";
inline constexpr std::string_view kXnnLinearClass = "__torch__.torch.classes.xnnpack.LinearOpContext";
inline constexpr std::string_view kXnnConvClass = "__torch__.torch.classes.xnnpack.Conv2dOpContext";
inline constexpr std::string_view kXnnTransposedClass =
    "__torch__.torch.classes.xnnpack.TransposeConv2dOpContext";
inline constexpr std::string_view kMkldnnConvClass = "__torch__.torch.classes.mkldnn.ConvOpContext";

struct Packed {
  std::string cls;
  std::variant<PackedLinear, PackedConv, PackedEmbedding, PackedCell> params;
};

inline Arg packed_arg(std::string_view cls, auto params) {
  return Arg{std::make_shared<const Packed>(Packed{std::string(cls), std::move(params)})};
}

constexpr bool is_packed_class(std::string_view type) { return type.starts_with("__torch__.torch.classes."); }

}  // namespace cameo::aten
