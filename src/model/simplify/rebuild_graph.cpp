#include <algorithm>

#include <fmt/format.h>

#include "cameo/diagnostic.h"
#include "model/simplify/rebuild.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using onnx::Graph;
using onnx::Type;
using onnx::Value;

Type without_shape(Type type) {
  type.shape.reset();
  return type;
}

// What a subgraph's input holds. Its shape may change from turn to turn, whatever the file says.
Type body_input(const proto::ValueInfo& declared, std::size_t index, const onnx::Node& around, Lift& lift) {
  if (declared.type)
    if (Type type = lift.type(*declared.type, declared.name); type.dtype != DType::undefined)
      return without_shape(std::move(type));
  if (around.op == "Loop" && index >= 2 && index < around.inputs.size() && around.inputs[index])
    return without_shape(around.inputs[index]->type);
  return unknown_type();
}

[[noreturn]] void misfit(const proto::Node& node, const std::string& file) {
  throw Error(Diagnostic{.stage = Stage::read,
                         .code = "broken-control-flow",
                         .message = fmt::format("the subgraphs of {} '{}' do not fit its inputs and outputs",
                                                node.op_type, node.name),
                         .file = file,
                         .hint = "cameo check tells all that is wrong with it"});
}

Graph* attribute_graph(const onnx::Node& node, std::string_view name) {
  Graph* const* graph = node.attribute_if<Graph*>(name);
  return graph ? *graph : nullptr;
}

// The results that a node has with those that the file leaves out at the end; nothing if it cannot be.
std::optional<std::size_t> result_count(onnx::Node& node, std::size_t outputs) {
  if (!node.domain.empty()) return outputs;
  if (node.op == "If") {
    const Graph *yes = attribute_graph(node, "then_branch"), *no = attribute_graph(node, "else_branch");
    if (!yes || !no || node.inputs.size() != 1 || yes->outputs.size() != no->outputs.size() ||
        yes->outputs.size() < outputs)
      return std::nullopt;
    return yes->outputs.size();
  }
  if (node.op == "Loop") {
    const Graph* body = attribute_graph(node, "body");
    if (node.inputs.size() < 2) node.inputs.resize(2, nullptr);
    if (!body || body->inputs.size() != node.inputs.size() || body->outputs.size() < outputs + 1 ||
        body->outputs.size() + 1 < body->inputs.size())
      return std::nullopt;
    return body->outputs.size() - 1;
  }
  return outputs;
}

}  // namespace

void Rebuild::main_inputs(Names& names) {
  proto::Graph& graph = *opened_.model.graph;
  std::unordered_set<std::string_view> fixed;
  if (options_.fold_inputs || opened_.all_initializers_are_inputs())
    for (const proto::Tensor& tensor : graph.initializers) fixed.insert(tensor.name);
  for (const proto::ValueInfo& input : graph.inputs) {
    if (fixed.contains(input.name)) continue;
    ++into_.defined[input.name];
    Type type = input.type ? lift_.type(*input.type, input.name) : unknown_type();
    names.values[input.name] =
        emit_.graph_input(&into_.model.main(), std::move(type), std::string(input.name));
  }
}

void Rebuild::initializers(proto::Graph& graph, Names& names) {
  const auto opaque = [&](std::string_view name, Type type) {
    Value* value = into_.model.add_value(std::move(type), std::string(name));
    value->graph = emit_.scope();
    names.values[name] = value;
  };
  for (proto::Tensor& tensor : graph.initializers) {
    if (names.values.contains(tensor.name)) continue;  // the default of an input
    ++into_.defined[tensor.name];
    if (onnx::DataPtr data = this->data(tensor)) {
      Value* value = constant_of(std::move(data), tensor.name, &tensor);
      names.values[tensor.name] = value;
      if (into_.tensors[value] == &tensor && (emit_.scope()->parent || names.moved))
        into_.moved.insert(value);
    } else {
      opaque(tensor.name, lift_.type(tensor));
    }
  }
  for (const proto::SparseTensor& sparse : graph.sparse_initializers)
    if (sparse.values && !names.values.contains(sparse.values->name)) {
      ++into_.defined[sparse.values->name];
      opaque(sparse.values->name, unknown_type());
    }
  for (const proto::ValueInfo& output : graph.outputs) output_names_.insert(output.name);
}

void Rebuild::outputs(const proto::Graph& graph, Names& names) {
  for (const proto::ValueInfo& declared : graph.outputs)
    emit_.scope()->outputs.push_back(
        output(emit_.materialize(find(declared.name, names)), declared.name, graph));
}

// The value under the name that the graph gives it out by.
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

Graph* Rebuild::subgraph(proto::Graph& graph, const onnx::Node& around, Names& names) {
  Graph* made = emit_.new_graph(std::string(graph.name));
  into_.graphs[made] = &graph;
  const onnx::Emit::Scope scope(emit_, made);
  Names inner{.outer = &names};
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const std::string_view name = graph.inputs[i].name;
    ++into_.defined[name];
    inner.values[name] =
        emit_.graph_input(made, body_input(graph.inputs[i], i, around, lift_), std::string(name));
  }
  initializers(graph, inner);
  nodes(graph.nodes, inner);
  outputs(graph, inner);
  return made;
}

void Rebuild::control(proto::Node& source, Names& names) {
  if (source.op_type == "If" && standard(source) && inline_branch(source, names)) return;
  Read read = this->read(source, names);
  const auto count =
      standard(source) ? result_count(read.node, source.outputs.size()) : source.outputs.size();
  if (!count) misfit(source, opened_.file->name());
  Results results = understand(source, read, *count).results;
  for (onnx::Inferred& result : results) result.elements.reset();
  bind(source, keep(source, read.node, results), names);
}

// A branch that brings initialisers which nothing here can hold stays where it is.
bool Rebuild::inline_branch(proto::Node& source, Names& names) {
  if (!steps_.may(Step::inline_branches) || source.inputs.size() != 1) return false;
  const Value* condition = find(source.inputs[0], names);
  if (!condition->constant() || condition->dtype() != DType::boolean || condition->data->numel() != 1)
    return false;
  const char* taken = condition->data->integer(0) != 0 ? "then_branch" : "else_branch";
  const auto found = std::ranges::find(source.attributes, taken, &proto::Attribute::name);
  if (found == source.attributes.end() || !found->g) return false;
  proto::Graph& branch = *found->g;
  const bool simple =
      branch.sparse_initializers.empty() && branch.outputs.size() >= source.outputs.size() &&
      std::ranges::all_of(branch.initializers, [this](const proto::Tensor& t) { return data(t) != nullptr; });
  if (!simple) return false;
  steps_.took(Step::inline_branches);
  Names inner{.outer = &names, .moved = true};
  initializers(branch, inner);
  nodes(branch.nodes, inner);
  Values values;
  for (std::size_t i = 0; i < source.outputs.size(); ++i)
    values.push_back(find(branch.outputs[i].name, inner));
  bind(source, values, names);
  return true;
}

}  // namespace cameo::model
