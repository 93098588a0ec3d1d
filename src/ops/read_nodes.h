#pragma once
#include "ops/convert.h"

namespace cameo::ops {

// The graph as text, slot by slot: what ONNX calls each input and attribute, and what is there.
Conversion read_nodes(const onnx::Model& model, const std::vector<onnx::Value*>& results);

}  // namespace cameo::ops
