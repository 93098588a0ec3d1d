#include "model/simplify/count.h"

namespace cameo::model {
namespace {

void count(const onnx::proto::Graph& graph, Counts& counts) {
  for (const onnx::proto::Node& node : graph.nodes) {
    std::string name(node.op_type);
    if (!node.domain.empty() && node.domain != "ai.onnx") name.insert(0, "::").insert(0, node.domain);
    ++counts[name];
    for (const onnx::proto::Attribute& attribute : node.attributes) {
      if (attribute.g) count(*attribute.g, counts);
      for (const onnx::proto::Graph& inner : attribute.graphs) count(inner, counts);
    }
  }
}

}  // namespace

Counts count_operators(const onnx::proto::Graph& graph) {
  Counts counts;
  count(graph, counts);
  return counts;
}

}  // namespace cameo::model
