#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include <fmt/core.h>

#include "onnx/graph/finish.h"

namespace cameo::onnx {
namespace {

class Naming {
 public:
  explicit Naming(NameStyle style) : numbers_(style == NameStyle::numbers) {}
  void run(Graph& main) {
    for (Value* input : main.inputs) keep(input, "input");
    for (Value* output : main.outputs)
      if (!output->name.empty() && !named_.contains(output)) keep(output, "output");
    graph(main);
  }

 private:
  void keep(Value* value, std::string_view otherwise) {
    value->name = unique(value->name.empty() ? std::string(otherwise) : value->name);
    named_.insert(value);
  }

  void graph(Graph& graph) {
    for (Node* node : graph.nodes) {
      for (Value* input : node->inputs) constant(input);
      node->name = node_name(*node);
      for (std::size_t i = 0; i < node->outputs.size(); ++i)
        name(node->outputs[i], fmt::format("{}_output_{}", node->name, i));
      for (const Attribute& attribute : node->attributes) {
        for (Graph* inner : subgraphs(attribute.value)) {
          if (inner->name.empty()) inner->name = attribute.name;
          for (std::size_t i = 0; i < inner->inputs.size(); ++i)
            name(inner->inputs[i], fmt::format("{}_{}_input_{}", node->name, attribute.name, i));
          this->graph(*inner);
        }
      }
    }
    for (Value* output : graph.outputs) constant(output);
  }

  std::string node_name(const Node& node) {
    if (numbers_) return fmt::format("{}_{}", node.op, last_node_++);
    std::string path = node.origin ? node.origin->module_path : std::string();
    std::replace(path.begin(), path.end(), '.', '/');
    return unique((path.empty() ? "/" : "/" + path + "/") + node.op, node_names_);
  }

  void name(Value* value, const std::string& otherwise) {
    if (!value || !named_.insert(value).second) return;
    if (!value->name.empty())
      value->name = unique(value->name);
    else
      value->name = numbers_ ? number() : unique(otherwise);
  }

  std::string number() {
    std::string name;
    do name = std::to_string(++last_value_);
    while (!value_names_.try_emplace(name, 0).second);
    return name;
  }

  void constant(Value* value) {
    if (!value || !value->constant()) return;
    name(value, "constant");
  }

  std::string unique(const std::string& wanted) { return unique(wanted, value_names_); }

  static std::string unique(const std::string& wanted, std::unordered_map<std::string, int>& taken) {
    auto [found, is_free] = taken.try_emplace(wanted, 0);
    if (is_free) return wanted;
    int& last = found->second;
    while (true) {
      std::string candidate = fmt::format("{}_{}", wanted, ++last);
      if (taken.contains(candidate)) continue;
      taken.emplace(candidate, 0);
      return candidate;
    }
  }

  bool numbers_;
  int last_node_ = 0, last_value_ = 0;
  std::unordered_set<const Value*> named_;
  std::unordered_map<std::string, int> value_names_, node_names_;
};

}  // namespace

void assign_names(Model& model, NameStyle style) { Naming(style).run(model.main()); }

}  // namespace cameo::onnx
