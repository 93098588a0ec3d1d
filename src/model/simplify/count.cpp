#include "model/simplify/count.h"

#include "onnx/proto/visit.h"

namespace cameo::model {

Counts count_operators(const onnx::proto::Graph& graph) {
  Counts counts;
  onnx::proto::each_node(graph.nodes, [&](const onnx::proto::Node& node) {
    std::string name(node.op_type);
    if (!node.domain.empty() && node.domain != "ai.onnx") name.insert(0, "::").insert(0, node.domain);
    ++counts[name];
  });
  return counts;
}

}  // namespace cameo::model
