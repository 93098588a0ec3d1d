#pragma once
// Simplifications of a finished graph: each keeps its meaning, has a name, and says how often it applied.

#include <cstddef>
#include <string_view>

#include "onnx/graph.h"

namespace cameo::rules {

struct Rule {
  std::string_view name;
  std::string_view doc;
  std::size_t (*apply)(onnx::Model& model);  // how often it applied
};

// conv(x)·s + t with constants s and t is a convolution with other weights.
std::size_t fold_batch_norm(onnx::Model& model);

inline constexpr Rule kRules[] = {
    {"fold-batch-norm", "A batch normalisation with constant statistics goes into the convolution before it.",
     fold_batch_norm},
};

}  // namespace cameo::rules
