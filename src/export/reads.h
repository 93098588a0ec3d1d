#pragma once
#include <set>
#include <vector>

#include "onnx/graph/graph.h"

namespace cameo {

// What the nodes and outputs of a graph and its subgraphs read.
class Reads {
 public:
  explicit Reads(const onnx::Graph& main) { graph(main); }
  const std::vector<onnx::Value*>& constants() const { return constants_; }  // in order of first use
  bool contains(const onnx::Value* value) const { return seen_.contains(value); }

 private:
  void graph(const onnx::Graph& graph) {
    for (const onnx::Node* node : graph.nodes) {
      for (onnx::Value* input : node->inputs) add(input);
      for (const onnx::Attribute& attribute : node->attributes)
        for (const onnx::Graph* inner : onnx::subgraphs(attribute.value)) this->graph(*inner);
    }
    for (onnx::Value* output : graph.outputs) add(output);
  }
  void add(onnx::Value* value) {
    if (value && seen_.insert(value).second && value->constant()) constants_.push_back(value);
  }
  std::set<const onnx::Value*> seen_;
  std::vector<onnx::Value*> constants_;
};

}  // namespace cameo
