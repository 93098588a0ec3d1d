#include <unordered_set>

#include "onnx/finish.h"

namespace cameo::onnx {
namespace {

class Prune {
 public:
  void run(Graph& main) {
    need_outputs(main);
    while (!work_.empty()) {
      const Node* node = work_.back();
      work_.pop_back();
      for (const Value* input : node->inputs) need(input);
      for (const Attribute& attribute : node->attributes)
        if (const auto* graph = std::get_if<Graph*>(&attribute.value)) need_outputs(**graph);
    }
    sweep(main);
  }

 private:
  void need_outputs(const Graph& graph) {
    for (const Value* output : graph.outputs) need(output);
  }
  void need(const Value* value) {
    if (value && value->producer && needed_.insert(value->producer).second) work_.push_back(value->producer);
  }
  void sweep(Graph& main) {
    std::vector<Graph*> graphs{&main};
    while (!graphs.empty()) {
      Graph* graph = graphs.back();
      graphs.pop_back();
      std::erase_if(graph->nodes, [this](const Node* node) { return !needed_.contains(node); });
      for (const Node* node : graph->nodes)
        for (const Attribute& attribute : node->attributes)
          if (const auto* inner = std::get_if<Graph*>(&attribute.value)) graphs.push_back(*inner);
    }
  }

  std::unordered_set<const Node*> needed_;
  std::vector<const Node*> work_;
};

}  // namespace

void prune(Model& model) { Prune().run(model.main()); }

}  // namespace cameo::onnx
