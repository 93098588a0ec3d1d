#include <algorithm>

#include "model/simplify/rebuild.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using onnx::Graph;
using onnx::Type;
using onnx::Value;

}  // namespace

Value* Rebuild::input(Graph& graph, std::string_view name, Type type) {
  ++into_.defined[name];
  return emit_.graph_input(&graph, std::move(type), std::string(name));
}

Value* Rebuild::initializer(proto::Tensor& tensor, const Scope& scope) {
  onnx::DataPtr data = importer_.lift().data(tensor);
  if (!data) return sparse_initializer(tensor.name, importer_.lift().type(tensor));
  ++into_.defined[tensor.name];
  Value* value = constant_of(std::move(data), tensor.name, &tensor);
  if (into_.tensors[value] == &tensor && (emit_.scope()->parent || scope.inlined()))
    into_.moved.insert(value);
  return value;
}

// Stays in the file as it is, like any initialiser whose elements a graph cannot hold.
Value* Rebuild::sparse_initializer(std::string_view name, Type type) {
  ++into_.defined[name];
  Value* value = into_.model.add_value(std::move(type), std::string(name));
  value->graph = emit_.scope();
  return value;
}

Graph& Rebuild::enter(proto::Graph& graph, const Scope& /*scope*/) {
  for (const proto::ValueInfo& output : graph.outputs) output_names_.insert(output.name);
  const bool main = &graph == &*opened_.model.graph;
  Graph& made = main ? into_.model.main() : *emit_.new_graph(std::string(graph.name));
  into_.graphs[&made] = &graph;
  scopes_.emplace_back(emit_, &made);
  return made;
}

void Rebuild::leave(proto::Graph& graph, Graph& made, const Scope& scope) {
  for (const proto::ValueInfo& declared : graph.outputs) {
    const auto found = scope.find(declared.name);
    Value* value = emit_.materialize(found ? *found : undefined(declared.name));
    made.outputs.push_back(output(value, declared.name, graph));
  }
  if (!made.parent) keep_captured(made, graph, scope);
  scopes_.pop_back();
}

// Captured values are outputs of the new graph while it is simplified. The outputs of the file do not change.
void Rebuild::keep_captured(Graph& made, const proto::Graph& graph, const Scope& scope) {
  for (const std::string_view name : captured_) {
    const bool output_already = std::ranges::any_of(
        graph.outputs, [&](const proto::ValueInfo& output) { return output.name == name; });
    const auto found = scope.find(name);
    if (output_already || !found || !*found) continue;
    made.outputs.push_back(output(emit_.materialize(*found), name, graph));
  }
}

// The value under the name that the output of the graph has.
Value* Rebuild::output(Value* value, std::string_view name, const proto::Graph& graph) {
  Graph* home = emit_.scope();
  const bool own = value->producer && value->producer->graph == home;
  const bool in_place = own || (!home->parent && value->constant()) || value->graph == home;
  if (in_place && value->name == name) return value;
  const bool named_so = std::ranges::any_of(
      graph.outputs, [&](const proto::ValueInfo& other) { return other.name == value->name; });
  const bool given_out = std::ranges::find(home->outputs, value) != home->outputs.end();
  if (!own || named_so || given_out) {
    if (value->constant() && value->name == name) value->name.clear();
    value = emit_.identity(value);
  }
  value->name = name;
  into_.absent.erase(value);
  into_.moved.erase(value);
  return value;
}

// A branch with an initialiser that a graph cannot hold, or with a foreign graph, stays in its If.
bool Rebuild::inlines(const proto::Graph& branch) {
  const bool simple =
      branch.sparse_initializers.empty() && std::ranges::none_of(branch.nodes, holds_foreign) &&
      std::ranges::all_of(branch.initializers,
                          [this](const proto::Tensor& t) { return importer_.lift().data(t) != nullptr; });
  if (!simple || !steps_.may(Step::inline_branches)) return false;
  steps_.took(Step::inline_branches);
  for (const proto::ValueInfo& output : branch.outputs) output_names_.insert(output.name);
  return true;
}

}  // namespace cameo::model
