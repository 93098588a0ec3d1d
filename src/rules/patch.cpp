#include "rules/patch.h"

#include <algorithm>

namespace cameo::rules {

using onnx::Graph;
using onnx::Node;
using onnx::Value;

namespace {

bool has_subgraph(const Node& node) {
  return std::ranges::any_of(node.attributes, [](const onnx::Attribute& attribute) {
    return std::holds_alternative<Graph*>(attribute.value);
  });
}

}  // namespace

Patch::Patch(onnx::Model& model) : model_(model) { collect(model.main()); }

void Patch::collect(Graph& graph) {
  graphs_.push_back(&graph);
  for (Node* node : graph.nodes) {
    nodes_.push_back(node);
    for (Value* input : node->inputs) add_reader(input, *node);
    for (const onnx::Attribute& attribute : node->attributes)
      for (Graph* inner : subgraphs(attribute.value)) collect(*inner);
  }
  for (const Value* output : graph.outputs) ++uses_[output].outputs;
}

bool Patch::is_output(const Value* value) const {
  const auto found = uses_.find(value);
  return found != uses_.end() && found->second.outputs > 0;
}

bool Patch::read_once(const Value* value) const {
  const auto found = uses_.find(value);
  return found != uses_.end() && found->second.inputs == 1 && found->second.outputs == 0;
}

bool Patch::is_read(const Value* value) const {
  const auto found = uses_.find(value);
  return found != uses_.end() && found->second.inputs + found->second.outputs > 0;
}

Value* Patch::constant(onnx::DataPtr data, std::string name) {
  onnx::Type type{onnx::Type::Kind::tensor, data->dtype(), onnx::Shape{}};
  for (std::int64_t dim : data->shape()) type.shape->push_back(dim);
  Value* value = model_.add_value(std::move(type), std::move(name));
  value->data = std::move(data);
  return value;
}

void Patch::set_input(Node& node, std::size_t index, Value* value) {
  if (index >= node.inputs.size()) node.inputs.resize(index + 1, nullptr);
  Value* before = std::exchange(node.inputs[index], value);
  add_reader(value, node);
  drop_reader(before);
  touched_.push_back(&node);
}

void Patch::set_inputs(Node& node, std::vector<Value*> values) {
  const std::vector<Value*> before = std::exchange(node.inputs, std::move(values));
  for (Value* value : node.inputs) add_reader(value, node);
  for (Value* value : before) drop_reader(value);
  touched_.push_back(&node);
}

void Patch::set_attribute(Node& node, std::string_view name, onnx::AttributeValue value) {
  auto found = std::ranges::find(node.attributes, name, &onnx::Attribute::name);
  if (found == node.attributes.end())
    node.attributes.push_back({std::string(name), std::move(value)});
  else
    found->value = std::move(value);
}

bool Patch::bypass(Node& node, Value* same) {
  Value* result = node.outputs.front();
  if (!is_output(result)) {
    move_readers(result, same);
    remove(node);
    return true;
  }
  Node* maker = same->producer;
  if (!require(maker && maker->graph == node.graph && !is_output(same),
               "its result is an output of the graph, whose name must be kept"))
    return false;
  move_readers(same, result);
  *std::ranges::find(maker->outputs, same) = result;
  result->producer = maker;
  remove(node);
  return true;
}

void Patch::take_result(Node& node, Node& last) {
  Value* result = last.outputs.front();
  node.outputs.front() = result;
  result->producer = &node;
  last.outputs.clear();
  remove(last);
  touched_.push_back(&node);
  for (Node* reader : uses_[result].readers)
    if (!removed(*reader)) touched_.push_back(reader);
}

void Patch::sweep() {
  for (Graph* graph : graphs_)
    std::erase_if(graph->nodes, [this](const Node* node) { return removed(*node); });
}

void Patch::add_reader(Value* value, Node& reader) {
  if (!value || value->constant()) return;
  Uses& uses = uses_[value];
  ++uses.inputs;
  uses.readers.push_back(&reader);
}

// Removes producers that have no readers any more.
void Patch::drop_reader(Value* value) {
  if (!value || value->constant()) return;
  --uses_[value].inputs;
  Node* maker = value->producer;
  if (!maker || removed(*maker)) return;
  touched_.push_back(maker);
  if (has_subgraph(*maker)) return;
  const bool read =
      std::ranges::any_of(maker->outputs, [this](const Value* output) { return is_read(output); });
  if (!read) remove(*maker);
}

void Patch::move_readers(Value* from, Value* to) {
  const std::vector<Node*> readers = std::exchange(uses_[from].readers, {});
  for (Node* reader : readers) {
    if (removed(*reader)) continue;
    for (Value*& input : reader->inputs) {
      if (input != from) continue;
      input = to;
      --uses_[from].inputs;
      add_reader(to, *reader);
    }
    touched_.push_back(reader);
  }
}

void Patch::remove(Node& node) {
  node.graph = nullptr;
  for (Value* input : node.inputs) drop_reader(input);
}

}  // namespace cameo::rules
