#pragma once
#include <string>

#include "onnx/graph/graph.h"

namespace cameo::onnx {

// The graph in the form of torch_text::dump().
std::string print(const Model& model);

// One node in short: "Gemm[transB=1](%x, %weight) -> %y : f32[batch, 2]".
std::string print(const Node& node);

}  // namespace cameo::onnx
