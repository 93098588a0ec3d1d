#include "rules/uses.h"

namespace cameo::rules {

void for_each_graph(onnx::Graph& graph, const std::function<void(onnx::Graph&)>& visit) {
  visit(graph);
  for (const onnx::Node* node : graph.nodes)
    for (const onnx::Attribute& attribute : node->attributes)
      for (onnx::Graph* inner : onnx::subgraphs(attribute.value)) for_each_graph(*inner, visit);
}

std::unordered_map<const onnx::Value*, std::size_t> count_uses(onnx::Graph& main) {
  std::unordered_map<const onnx::Value*, std::size_t> uses;
  for_each_graph(main, [&](onnx::Graph& graph) {
    for (const onnx::Node* node : graph.nodes)
      for (const onnx::Value* input : node->inputs)
        if (input) ++uses[input];
    for (const onnx::Value* output : graph.outputs) ++uses[output];
  });
  return uses;
}

}  // namespace cameo::rules
