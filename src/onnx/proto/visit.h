#pragma once
#include "onnx/proto/messages.h"

namespace cameo::onnx::proto {

// Calls visit(graph) with each graph that the attributes of a node hold.
template <class NodeMessage, class Visit>
void each_subgraph(NodeMessage& node, Visit&& visit) {
  for (auto& attribute : node.attributes) {
    if (attribute.g) visit(*attribute.g);
    for (auto& graph : attribute.graphs) visit(graph);
  }
}

// Calls visit(node) with each node of a list and of their subgraphs, a node before the nodes of its subgraphs.
template <class Visit>
void each_node(const std::vector<Node>& nodes, Visit&& visit) {
  for (const Node& node : nodes) {
    visit(node);
    each_subgraph(node, [&](const Graph& inner) { each_node(inner.nodes, visit); });
  }
}

}  // namespace cameo::onnx::proto
