#include <unordered_set>

#include <fmt/core.h>

#include "cameo/diagnostic.h"
#include "onnx/graph/finish.h"

namespace cameo::onnx {
namespace {

class Verify {
 public:
  void graph(const Graph& graph) {
    std::vector<const Value*> mine;
    auto define = [&](const Value* value) {
      if (!defined_.insert(value).second) fail("a value is defined twice");
      mine.push_back(value);
    };
    for (const Value* input : graph.inputs) {
      if (input->graph != &graph || input->producer) fail("an input belongs to another graph");
      define(input);
    }
    for (const Node* node : graph.nodes) {
      this->node(*node, graph);
      for (const Value* output : node->outputs) {
        if (!output) continue;
        if (output->producer != node) fail(fmt::format("a result of {} names another producer", node->op));
        define(output);
      }
    }
    for (const Value* output : graph.outputs) {
      if (graph.parent && (!output->producer || output->producer->graph != &graph))
        fail("a subgraph gives out what it did not make");
      use(output, "an output");
    }
    for (const Value* value : mine) defined_.erase(value);
  }

 private:
  void node(const Node& node, const Graph& graph) {
    if (node.graph != &graph) fail(fmt::format("{} stands in another graph than it says", node.op));
    for (const Value* input : node.inputs)
      if (input) use(input, node.op);
    for (const Attribute& attribute : node.attributes) {
      for (const Graph* inner : subgraphs(attribute.value)) {
        if (!inner) fail(fmt::format("{} without a subgraph", node.op));
        this->graph(*inner);
      }
    }
  }

  void use(const Value* value, std::string_view by) {
    if (value->symbolic()) fail(fmt::format("{} uses formulas that were not computed", by));
    if (!value->constant() && !defined_.contains(value))
      fail(fmt::format("{} uses a value before it is made", by));
  }

  [[noreturn]] static void fail(std::string_view what) {
    throw InternalError(fmt::format("ONNX graph: {}", what));
  }

  std::unordered_set<const Value*> defined_;
};

}  // namespace

void verify(const Model& model) { Verify().graph(model.main()); }

}  // namespace cameo::onnx
