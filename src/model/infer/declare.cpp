#include "model/infer/declare.h"

#include <fmt/core.h>

#include "onnx/graph/size_name.h"
#include "onnx/lower/type.h"
#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using onnx::Type;

constexpr std::size_t kLongest = 200;  // text of a formula

}  // namespace

bool is_told(const Type& type) { return type.kind != Type::Kind::unknown && type.dtype != DType::undefined; }

std::string_view Declarations::text(const onnx::Dim& dim) {
  const auto [entry, added] = texts_.try_emplace(dim);
  if (added) {
    std::string formula = sym::to_string(dim, kLongest + 1);
    if (formula.size() > kLongest) formula = fmt::format("size_{}", named_++);
    entry->second = kept_.emplace_back(std::move(formula));
  }
  return entry->second;
}

proto::Dimension Declarations::message(const onnx::Dim& dim) {
  proto::Dimension message;
  if (const auto number = onnx::known(dim))
    message.value = *number;
  else
    message.parameter = text(dim);
  return message;
}

proto::Type Declarations::message(const Type& type) {
  proto::Type message;
  message.kind = onnx::lower_kind(type.kind);
  if (type.kind != Type::Kind::tensor) {
    message.inner = std::make_unique<proto::Type>(this->message(onnx::inner_type(type)));
    return message;
  }
  message.element = onnx::to_onnx(type.dtype);
  if (!type.shape) return message;
  message.shape.emplace();
  for (const onnx::Dim& dim : *type.shape) message.shape->dims.push_back(this->message(dim));
  return message;
}

void Declarations::complete(proto::Type& declared, const Type& type) {
  if (declared.kind == proto::Type::Kind::none) {
    declared = message(type);
    return;
  }
  if (declared.kind != onnx::lower_kind(type.kind)) return;
  if (type.kind != Type::Kind::tensor) {
    if (!declared.inner) declared.inner = std::make_unique<proto::Type>();
    return complete(*declared.inner, onnx::inner_type(type));
  }
  if (declared.element.value_or(0) == 0) declared.element = onnx::to_onnx(type.dtype);
  if (declared.element != onnx::to_onnx(type.dtype) || !type.shape) return;
  if (!declared.shape) {
    declared.shape = message(type).shape;
    return;
  }
  std::vector<proto::Dimension>& dims = declared.shape->dims;
  for (std::size_t i = 0; i < dims.size() && dims.size() == type.shape->size(); ++i) {
    const onnx::Dim& size = (*type.shape)[i];
    if (dims[i].value) continue;
    if (const auto number = onnx::known(size)) {
      dims[i].value = *number;
      dims[i].parameter = {};
    } else if (!onnx::names_size(dims[i].parameter)) {
      dims[i].parameter = text(size);
    }
  }
}

void Declarations::complete(proto::ValueInfo& info, const Type& type) {
  if (!info.type) info.type.emplace();
  complete(*info.type, type);
}

void Declarations::declare(proto::Graph& graph, const ModelTypes& types) {
  std::unordered_map<std::string_view, std::size_t> infos, outputs;
  for (std::size_t i = 0; i < graph.value_infos.size(); ++i) infos.emplace(graph.value_infos[i].name, i);
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) outputs.emplace(graph.outputs[i].name, i);
  for (const NamedValue& found : types.values(graph)) {
    if (!is_told(found.value->type)) continue;
    const auto info = infos.find(found.name);
    const auto output = outputs.find(found.name);
    if (output != outputs.end()) complete(graph.outputs[output->second], found.value->type);
    if (info != infos.end()) complete(graph.value_infos[info->second], found.value->type);
    if (output != outputs.end() || info != infos.end()) continue;
    proto::ValueInfo& added = graph.value_infos.emplace_back();
    added.name = found.name;
    added.type = message(found.value->type);
  }
  for (proto::Node& node : graph.nodes)
    proto::each_subgraph(node, [&](proto::Graph& inner) { declare(inner, types); });
}

}  // namespace cameo::model
