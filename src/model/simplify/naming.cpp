#include "model/simplify/naming.h"

#include <fmt/core.h>

namespace cameo::model {
namespace {

using onnx::Graph;
using onnx::Node;
using onnx::Value;

class Naming {
 public:
  explicit Naming(Rebuilt& rebuilt) : rebuilt_(rebuilt) {}

  void run() {
    for (const auto& [name, times] : rebuilt_.defined) names_.emplace(name);
    reserve(rebuilt_.model.main());
    name(rebuilt_.model.main());
  }

 private:
  void reserve(const Graph& graph) {
    for (const Value* input : graph.inputs) reserve(input);
    for (const Node* node : graph.nodes) {
      if (const auto source = rebuilt_.nodes.find(node); source != rebuilt_.nodes.end())
        node_names_.emplace(source->second.node->name);
      for (const auto* values : {&node->inputs, &node->outputs})
        for (const Value* value : *values) reserve(value);
      for (const onnx::Attribute& attribute : node->attributes)
        for (const Graph* inner : onnx::subgraphs(attribute.value)) reserve(*inner);
    }
    for (const Value* output : graph.outputs) reserve(output);
  }

  void reserve(const Value* value) {
    if (value && !value->name.empty()) names_.insert(value->name);
  }

  void name(Graph& graph) {
    for (Node* node : graph.nodes) {
      for (Value* input : node->inputs) name(input, "constant");
      const auto source = rebuilt_.nodes.find(node);
      if (source == rebuilt_.nodes.end()) node->name = unique(node->op, node_names_);
      for (Value* output : node->outputs)
        if (!rebuilt_.absent.contains(output)) name(output, node->op + "_output");
      for (const onnx::Attribute& attribute : node->attributes)
        for (Graph* inner : onnx::subgraphs(attribute.value)) name(*inner);
    }
    for (Value* output : graph.outputs) name(output, "constant");
  }

  void name(Value* value, const std::string& otherwise) {
    if (!value || !done_.insert(value).second) return;
    if (value->name.empty()) {
      value->name = unique(otherwise, names_);
    } else if (rebuilt_.moved.contains(value)) {
      const auto defined = rebuilt_.defined.find(value->name);
      if (defined != rebuilt_.defined.end() && defined->second > 1) value->name = unique(value->name, names_);
    }
  }

  static std::string unique(const std::string& wanted, std::unordered_set<std::string>& taken) {
    std::string candidate = wanted;
    for (int i = 1; !taken.insert(candidate).second; ++i) candidate = fmt::format("{}_{}", wanted, i);
    return candidate;
  }

  Rebuilt& rebuilt_;
  std::unordered_set<std::string> names_, node_names_;
  std::unordered_set<const Value*> done_;
};

}  // namespace

void assign_names(Rebuilt& rebuilt) { Naming(rebuilt).run(); }

}  // namespace cameo::model
