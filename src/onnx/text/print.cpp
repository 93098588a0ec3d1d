#include "onnx/text/print.h"

#include <fmt/core.h>

#include <algorithm>

#include "onnx/graph/visit.h"
#include "onnx/text/torch_text.h"

namespace cameo::onnx {
namespace {

torch_text::Value definition(const Value& value) {
  return {.name = value.name, .type = torch_text::type_of(value.type), .parameter = value.constant()};
}

std::vector<torch_text::Value> definitions(const std::vector<Value*>& values) {
  std::vector<torch_text::Value> out;
  for (const Value* value : values)
    if (value) out.push_back(definition(*value));
  return out;
}

std::vector<std::string> names(const std::vector<Value*>& values) {
  std::vector<std::string> out;
  for (const Value* value : values) out.push_back(value ? value->name : "");
  return out;
}

std::string data_text(const Data& data) {
  if (data.numel() > torch_text::kMostElements || is_complex(data.dtype())) return "<Tensor>";
  if (data.numel() == 1)
    return is_floating(data.dtype()) ? torch_text::scalar_text(data.real(0))
                                     : torch_text::scalar_text(data.integer(0));
  std::vector<double> elements;
  for (std::int64_t i = 0; i < data.numel(); ++i) elements.push_back(data.real(i));
  return torch_text::tensor_text(torch_text::scalar_name(data.dtype()), data.shape(), elements);
}

struct AttributeText {
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(float value) const { return torch_text::float_text(value); }
  std::string operator()(const std::string& value) const { return torch_text::string_text(value); }
  std::string operator()(const DataPtr& data) const { return data_text(*data); }
  std::string operator()(const Graph*) const { return {}; }
  std::string operator()(const std::vector<Graph*>&) const { return {}; }
  template <class T>
  std::string operator()(const std::vector<T>& values) const {
    return torch_text::list_text(values, *this);
  }
};

std::string place(const Node& node) {
  const Places places = node.origin ? node.origin->places() : Places{};
  if (places.python.empty()) return {};
  const Position& python = places.python.front();
  return fmt::format("{}:{}:{}", python.file, python.line, std::max(python.column - 1, 0));
}

torch_text::Block block_of(const Graph& graph);

torch_text::Node node_of(const Node& node) {
  torch_text::Node out{.outputs = definitions(node.outputs),
                       .domain = node.domain.empty() ? "onnx" : node.domain,
                       .op = node.op,
                       .inputs = names(node.inputs),
                       .scope = node.origin ? node.origin->module_path : "",
                       .place = place(node)};
  for (const Attribute& attribute : node.attributes) {
    out.attributes.push_back(
        {.name = attribute.name, .text = std::visit(AttributeText{}, attribute.value), .old_text = {}});
    for (const Graph* inner : subgraphs(attribute.value)) out.blocks.push_back(block_of(*inner));
  }
  return out;
}

torch_text::Block block_of(const Graph& graph) {
  torch_text::Block block{.inputs = definitions(graph.inputs), .nodes = {}, .outputs = names(graph.outputs)};
  for (const Node* node : graph.nodes) block.nodes.push_back(node_of(*node));
  return block;
}

}  // namespace

std::string print(const Model& model) {
  torch_text::Block block = block_of(model.main());
  for (const Value* value : used_values(model.main()))
    if (value->constant()) block.inputs.push_back(definition(*value));
  return torch_text::dump(block);
}

std::string print(const Node& node) {
  std::string text = node.op + torch_text::attributes_text(node_of(node)) + "(";
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    text += (i > 0 ? ", %" : "%") + (node.inputs[i] ? node.inputs[i]->name : "");
  text += ") ->";
  for (const Value* output : node.outputs)
    if (output) text += fmt::format(" %{} : {}", output->name, to_string(output->type));
  return text;
}

}  // namespace cameo::onnx
