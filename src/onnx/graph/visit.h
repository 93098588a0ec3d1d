#pragma once
#include <vector>

#include "onnx/graph/graph.h"

namespace cameo::onnx {

// Calls visit(node) with each node of the graph and of its subgraphs, a node before the nodes of its
// subgraphs.
template <class Visit>
void each_node(const Graph& graph, Visit&& visit) {
  for (Node* node : graph.nodes) {
    visit(*node);
    for (const Attribute& attribute : node->attributes)
      for (const Graph* inner : subgraphs(attribute.value)) each_node(*inner, visit);
  }
}

// Each value that a node or an output of the graph or of a subgraph refers to, in the order of first use.
std::vector<Value*> used_values(const Graph& graph);

}  // namespace cameo::onnx
