#pragma once
#include "operator_map/convert.h"

namespace cameo::operator_map {

// The graph as text: for each node its inputs and attributes, with their names in ONNX and their values.
Conversion read_nodes(const onnx::Model& model, const std::vector<onnx::Value*>& results);

}  // namespace cameo::operator_map
