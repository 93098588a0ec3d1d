#include "onnx/graph/graph.h"

#include <algorithm>

namespace cameo::onnx {

const AttributeValue* Node::attribute(std::string_view key) const {
  auto found = std::find_if(attributes.begin(), attributes.end(),
                            [key](const Attribute& attribute) { return attribute.name == key; });
  return found == attributes.end() ? nullptr : &found->value;
}

std::span<Graph* const> subgraphs(const AttributeValue& value) {
  if (const auto* one = std::get_if<Graph*>(&value)) return {one, 1};
  if (const auto* several = std::get_if<std::vector<Graph*>>(&value)) return *several;
  return {};
}

Model::Model() : symbols_(std::make_unique<sym::Context>()), main_(&graphs_.emplace_back()) {
  main_->name = "main_graph";
}

Model::~Model() = default;

Value* Model::add_value(Type type, std::string name) {
  Value& value = values_.emplace_back();
  value.type = std::move(type);
  value.name = std::move(name);
  return &value;
}

Node* Model::add_node(Node node) { return &nodes_.emplace_back(std::move(node)); }

Graph* Model::add_graph(Graph* parent, std::string name) {
  Graph& graph = graphs_.emplace_back();
  graph.parent = parent;
  graph.name = std::move(name);
  return &graph;
}

const Origin* Model::add_origin(Origin origin) { return &origins_.emplace_back(std::move(origin)); }

}  // namespace cameo::onnx
