#include "onnx/graph/visit.h"

#include <unordered_set>

namespace cameo::onnx {
namespace {

class Uses {
 public:
  void graph(const Graph& graph) {
    for (const Node* node : graph.nodes) {
      for (Value* input : node->inputs) add(input);
      for (const Attribute& attribute : node->attributes)
        for (const Graph* inner : subgraphs(attribute.value)) this->graph(*inner);
    }
    for (Value* output : graph.outputs) add(output);
  }
  std::vector<Value*> take() { return std::move(found_); }

 private:
  void add(Value* value) {
    if (value && seen_.insert(value).second) found_.push_back(value);
  }
  std::unordered_set<const Value*> seen_;
  std::vector<Value*> found_;
};

}  // namespace

std::vector<Value*> used_values(const Graph& graph) {
  Uses uses;
  uses.graph(graph);
  return uses.take();
}

}  // namespace cameo::onnx
