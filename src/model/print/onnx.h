#pragma once
#include <string>

#include "onnx/proto/messages.h"

namespace cameo::model {

// A graph and its subgraphs, byte for byte as onnx.helper.printable_graph writes them.
std::string printable_graph(const onnx::proto::Graph& graph);

}  // namespace cameo::model
