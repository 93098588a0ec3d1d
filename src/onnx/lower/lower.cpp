#include "onnx/lower/lower.h"

#include <unordered_set>

#include <fmt/core.h>

#include "base/overload.h"
#include "onnx/facts/facts.h"
#include "onnx/graph/versions.h"
#include "onnx/graph/visit.h"
#include "onnx/lower/type.h"
#include "onnx/proto/value_info.h"

namespace cameo::onnx {
namespace {

using facts::Kind;

std::string describe(const Origin& origin) {
  std::string text = origin.op;
  const std::vector<Position> python = origin.places().python;
  for (const Position& place : python)
    text += fmt::format("\n{}:{}{}{}", place.file, place.line, place.function.empty() ? "" : " in ",
                        place.function);
  return text;
}

}  // namespace

proto::Entry Lowering::entry(std::string key, std::string value) {
  return {.key = text(std::move(key)), .value = text(std::move(value)), .unknown = {}};
}

proto::Model Lowering::model(const Model& model) {
  proto::Model message;
  message.ir_version = ir_version(model.opset);
  message.producer_name = "cameo";
  if (!model.producer_version.empty()) message.producer_version = text(model.producer_version);
  message.opset_imports.push_back({.domain = "", .version = model.opset, .unknown = {}});
  for (const auto& [domain, version] : model.custom_opsets)
    message.opset_imports.push_back({.domain = text(domain), .version = version, .unknown = {}});
  for (const auto& [key, value] : model.metadata) message.metadata.push_back(entry(key, value));
  message.graph = graph(model.main());
  return message;
}

proto::Graph Lowering::graph(const Graph& graph) {
  proto::Graph message;
  message.name = text(graph.name);
  for (const Node* each : graph.nodes) message.nodes.push_back(node(*each));
  for (const Value* input : graph.inputs) message.inputs.push_back(value_info(*input));
  for (const Value* output : graph.outputs) message.outputs.push_back(value_info(*output));
  if (!graph.parent) initializers(graph, message);
  if (options_.value_info) value_infos(graph, message);
  return message;
}

void Lowering::initializers(const Graph& graph, proto::Graph& into) {
  for (const Value* value : used_values(graph)) {
    if (!value->constant()) continue;
    proto::Tensor& made = into.initializers.emplace_back(tensor(value->data));
    made.name = text(value->name);
    if (options_.initializers_as_inputs) into.inputs.push_back(proto::value_info(made));
  }
}

void Lowering::value_infos(const Graph& graph, proto::Graph& into) {
  const std::unordered_set<const Value*> outputs(graph.outputs.begin(), graph.outputs.end());
  for (const Node* node : graph.nodes)
    for (const Value* value : node->outputs)
      if (value && !outputs.contains(value)) into.value_infos.push_back(value_info(*value));
}

proto::ValueInfo Lowering::value_info(const Value& value) {
  proto::ValueInfo message;
  message.name = text(value.name);
  message.type = lower_type(value.type, [this](const Dim& size) { return text(sym::to_string(size)); });
  return message;
}

std::vector<proto::Text> Lowering::inputs(const Node& node) {
  std::size_t count = node.inputs.size();
  while (count > 0 && node.inputs[count - 1] == nullptr) --count;
  std::vector<proto::Text> names;
  for (std::size_t i = 0; i < count; ++i)
    names.push_back(node.inputs[i] ? text(node.inputs[i]->name) : proto::Text(""));
  return names;
}

proto::Node Lowering::node(const Node& node) {
  proto::Node message;
  message.inputs = inputs(node);
  for (const Value* output : node.outputs)
    message.outputs.push_back(output ? text(output->name) : proto::Text(""));
  message.name = text(node.name);
  message.op_type = text(node.op);
  for (const Attribute& each : node.attributes) message.attributes.push_back(attribute(each));
  if (options_.doc_strings && node.origin) message.doc_string = text(describe(*node.origin));
  if (!node.domain.empty()) message.domain = text(node.domain);
  if (options_.metadata && node.origin) add_metadata(*node.origin, message);
  return message;
}

void Lowering::add_metadata(const Origin& origin, proto::Node& into) {
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) into.metadata.push_back(entry(key, value));
  };
  add("operator", origin.op);
  add("module", origin.module_path);
  const std::vector<Position> python = origin.places().python;
  if (!python.empty()) add("python", fmt::format("{}:{}", python[0].file, python[0].line));
}

proto::Tensor Lowering::tensor(const DataPtr& data) {
  proto::Tensor message;
  message.dims = data->shape();
  message.data_type = to_onnx(data->dtype());
  message.elements = data;
  return message;
}

proto::Attribute Lowering::attribute(const Attribute& attribute) {
  proto::Attribute message;
  message.name = text(attribute.name);
  const auto is = [&message](Kind kind) { message.type = static_cast<std::int32_t>(kind); };
  std::visit(
      Overload{
          [&](std::int64_t number) { is(Kind::integer), message.i = number; },
          [&](float number) { is(Kind::real), message.f = number; },
          [&](const std::string& string) { is(Kind::string), message.s = text(string); },
          [&](const DataPtr& data) {
            is(Kind::tensor), message.t = std::make_unique<proto::Tensor>(tensor(data));
          },
          [&](const Graph* inner) {
            is(Kind::graph), message.g = std::make_unique<proto::Graph>(graph(*inner));
          },
          [&](const std::vector<std::int64_t>& numbers) { is(Kind::integers), message.ints = numbers; },
          [&](const std::vector<float>& numbers) { is(Kind::reals), message.floats = numbers; },
          [&](const std::vector<std::string>& strings) {
            is(Kind::strings);
            for (const std::string& string : strings) message.strings.push_back(text(string));
          },
          [&](const std::vector<Graph*>& graphs) {
            is(Kind::graphs);
            for (const Graph* inner : graphs) message.graphs.push_back(graph(*inner));
          },
      },
      attribute.value);
  return message;
}

}  // namespace cameo::onnx
