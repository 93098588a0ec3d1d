#pragma once
#include <vector>

#include "onnx/graph/graph.h"

namespace cameo::onnx {

// Every value that a node or an output of the graph or of a subgraph refers to, in order of first use.
std::vector<const Value*> used_values(const Graph& graph);

}  // namespace cameo::onnx
