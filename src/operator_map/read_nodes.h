#pragma once
#include "operator_map/convert.h"

namespace cameo::operator_map {

// The graph as text, slot by slot: what ONNX calls each input and attribute, and what is there.
Conversion read_nodes(const onnx::Model& model, const std::vector<onnx::Value*>& results);

}  // namespace cameo::operator_map
