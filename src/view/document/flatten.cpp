#include "view/document/flatten.h"

#include <algorithm>
#include <unordered_map>

#include "base/index.h"
#include "onnx/check/context.h"

namespace cameo::view {
namespace {

using onnx::proto::Attribute;
using onnx::proto::Function;
using onnx::proto::Graph;
using onnx::proto::Node;
using onnx::proto::Tensor;
using onnx::proto::Text;
using onnx::proto::ValueInfo;

struct Scope {
  const Scope* outer = nullptr;
  std::unordered_map<std::string_view, int> values = {};
  std::vector<const Function*> calls = {};  // that this scope is in

  int find(std::string_view name) const {
    const auto found = values.find(name);
    if (found != values.end()) return found->second;
    return outer ? outer->find(name) : -1;
  }
};

// The tensor that a Constant node holds; null if it holds something else.
const Tensor* constant_of(const Node& node) {
  if (node.op_type != "Constant" || !(node.domain.empty() || node.domain == "ai.onnx")) return nullptr;
  const auto found = std::ranges::find(node.attributes, "value", &Attribute::name);
  return found == node.attributes.end() ? nullptr : found->t.get();
}

bool is_loop(const Node& node) { return node.op_type == "Loop"; }

class Flattener {
 public:
  Flattener(const onnx::proto::Model& model, std::size_t most) : model_(model), most_(most) {
    for (const Function& function : model.functions)
      functions_.emplace(onnx::FunctionKey(function.domain, function.name, function.overload), &function);
  }

  FlatGraph run() {
    if (!model_.graph) return std::move(made_);
    Scope scope;
    const int main = add_body(-1, "");
    graph(main, *model_.graph, scope);
    return std::move(made_);
  }

 private:
  FlatBody& body(int index) { return element_at(made_.bodies, index); }
  FlatNode& node(int index) { return element_at(made_.nodes, index); }
  FlatValue& value(int index) { return element_at(made_.values, index); }

  int add_body(int node, std::string name) {
    made_.bodies.push_back({.node = node, .name = std::move(name)});
    return static_cast<int>(made_.bodies.size()) - 1;
  }
  int add_value(Scope& scope, std::string_view name, ValueKind kind, int of_body, const ValueInfo* info) {
    made_.values.push_back({.name = name, .kind = kind, .body = of_body, .info = info});
    const int index = static_cast<int>(made_.values.size()) - 1;
    if (!name.empty()) scope.values.insert_or_assign(name, index);
    return index;
  }
  void add_weight(Scope& scope, std::string_view name, int of_body, const Tensor& tensor) {
    const int index = add_value(scope, name, ValueKind::constant, of_body, nullptr);
    value(index).weight = static_cast<int>(made_.weights.size());
    made_.weights.push_back({.tensor = &tensor, .value = index});
  }
  int resolve(Scope& scope, std::string_view name) {
    if (const int found = scope.find(name); found >= 0) return found;
    const int made = add_value(scope, name, ValueKind::input, 0, nullptr);
    body(0).inputs.push_back(made);
    return made;
  }

  void graph(int index, const Graph& graph, Scope& scope) {
    body(index).graph = &graph;
    body(index).infos = std::make_shared<const model::ValueInfos>(graph);
    const model::ValueInfos& infos = *body(index).infos;
    for (const Tensor& tensor : graph.initializers) add_weight(scope, tensor.name, index, tensor);
    for (const onnx::proto::SparseTensor& sparse : graph.sparse_initializers)
      if (sparse.values) add_weight(scope, sparse.values->name, index, *sparse.values);
    for (const ValueInfo& input : graph.inputs) {
      if (const auto known = scope.values.find(input.name); known != scope.values.end()) continue;
      const int made = add_value(scope, input.name, ValueKind::input, index, &input);
      body(index).inputs.push_back(made);
    }
    nodes(index, graph.nodes, scope, &infos);
    for (const ValueInfo& output : graph.outputs) {
      const int found = resolve(scope, output.name);
      body(index).outputs.push_back(found);
      if (index == 0 && value(found).kind == ValueKind::computed) value(found).kind = ValueKind::output;
    }
  }

  void function(int index, const Function& function, Scope& scope) {
    body(index).function = &function;
    for (const Text input : function.inputs)
      body(index).inputs.push_back(add_value(scope, input, ValueKind::input, index, nullptr));
    nodes(index, function.nodes, scope, nullptr);
    for (const Text output : function.outputs) body(index).outputs.push_back(resolve(scope, output));
  }

  // Results are known before their readers, so the order of the nodes does not matter.
  void nodes(int index, const std::vector<Node>& list, Scope& scope, const model::ValueInfos* infos) {
    std::vector<int> made;
    for (const Node& each : list) {
      const Tensor* constant = constant_of(each);
      if (constant && each.outputs.size() == 1) {
        add_weight(scope, each.outputs.front(), index, *constant);
        continue;
      }
      const int number = static_cast<int>(made_.nodes.size());
      made_.nodes.push_back({.source = &each, .body = index});
      made.push_back(number);
      for (const Text output : each.outputs) {
        const int result = output.empty() ? -1
                                          : add_value(scope, output, ValueKind::computed, index,
                                                      infos ? infos->find(output) : nullptr);
        node(number).outputs.push_back(result);
        if (result >= 0) value(result).producer = number;
      }
    }
    body(index).nodes = made;
    for (const int number : made)
      for (const Text input : node(number).source->inputs) {
        const int read = input.empty() ? -1 : resolve(scope, input);
        node(number).inputs.push_back(read);
      }
    for (const int number : made) enter(number, scope);
  }

  void enter(int number, Scope& scope) {
    const Node& source = *node(number).source;
    std::vector<const Attribute*> attributes;
    for (const Attribute& attribute : source.attributes) attributes.push_back(&attribute);
    // "then" before "else".
    std::ranges::stable_partition(attributes,
                                  [](const Attribute* each) { return each->name != "else_branch"; });
    for (const Attribute* each : attributes) {
      const Attribute& attribute = *each;
      if (attribute.g) inner(number, std::string(attribute.name), *attribute.g, scope);
      for (std::size_t i = 0; i < attribute.graphs.size(); ++i)
        inner(number, std::string(attribute.name) + "." + std::to_string(i), attribute.graphs[i], scope);
    }
    const auto found = functions_.find(onnx::FunctionKey(source.domain, source.op_type, source.overload));
    if (found == functions_.end() || std::ranges::count(scope.calls, found->second) > 0) return;
    if (made_.nodes.size() + found->second->nodes.size() > most_) return;
    Scope own{.calls = scope.calls};
    own.calls.push_back(found->second);
    const int made = add_body(number, std::string(source.op_type));
    function(made, *found->second, own);
    connect(number, made, 0);
  }

  void inner(int number, std::string name, const Graph& graph, Scope& scope) {
    Scope own{.outer = &scope, .calls = scope.calls};
    const int made = add_body(number, std::move(name));
    this->graph(made, graph, own);
    connect(number, made, is_loop(*node(number).source) ? 1 : 0);
  }

  // Inputs and outputs by their position. The first output of a Loop's body is a condition that stays inside.
  void connect(int number, int made, std::size_t inside) {
    node(number).bodies.push_back(made);
    FlatBody& own = body(made);
    const FlatNode& holder = node(number);
    for (std::size_t i = inside; i < std::min(own.inputs.size(), holder.inputs.size()); ++i)
      if (holder.inputs[i] >= 0) own.given.push_back({.outer = holder.inputs[i], .inner = own.inputs[i]});
    for (std::size_t i = inside; i < own.outputs.size() && i - inside < holder.outputs.size(); ++i)
      if (holder.outputs[i - inside] >= 0)
        own.taken.push_back({.outer = holder.outputs[i - inside], .inner = own.outputs[i]});
  }

  const onnx::proto::Model& model_;
  std::size_t most_;
  onnx::Functions functions_;
  FlatGraph made_;
};

}  // namespace

FlatGraph flatten(const onnx::proto::Model& model, std::size_t most) { return Flattener(model, most).run(); }

}  // namespace cameo::view
