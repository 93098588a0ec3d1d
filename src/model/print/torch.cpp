#include "model/print/torch.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "model/file/stored.h"
#include "model/graph/attribute_kind.h"
#include "model/graph/sort.h"
#include "model/graph/source_line.h"
#include "model/infer/model_types.h"
#include "onnx/check/elements.h"
#include "onnx/graph/element_names.h"
#include "onnx/graph/type.h"

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about
using onnx::proto::ValueInfo;
namespace torch = onnx::torch_text;

std::string scalar_name(std::optional<std::int32_t> element) {
  const auto dtype = onnx::from_onnx(element.value_or(kUndefined));
  return dtype ? torch::scalar_name(*dtype) : onnx::plain_name(element);
}

std::optional<torch::Type> type_of(const Type& type) {
  if (type.kind == Type::Kind::sequence || type.kind == Type::Kind::optional) {
    auto out = type.inner ? type_of(*type.inner) : std::nullopt;
    if (out)
      out->kind =
          type.kind == Type::Kind::sequence ? torch::Type::Kind::sequence : torch::Type::Kind::optional;
    return out;
  }
  if (type.kind != Type::Kind::tensor) return std::nullopt;
  torch::Type out{.scalar = scalar_name(type.element)};
  if (!type.shape) return out;
  out.sizes.emplace();
  for (const Dimension& dim : type.shape->dims) out.sizes->push_back(dim.value);
  return out;
}

torch::Value parameter(const Tensor& tensor) {
  torch::Type type{.scalar = scalar_name(tensor.data_type)};
  type.sizes.emplace(tensor.dims.begin(), tensor.dims.end());
  return {.name = std::string(tensor.name), .type = std::move(type), .parameter = true};
}

std::string tensor_text(const Tensor& tensor) {
  const std::optional<std::uint64_t> count = onnx::element_count(tensor.dims);
  if (!count || *count > torch::kMostElements) return "<Tensor>";
  const auto elements = real_elements(tensor);
  if (!elements || elements->size() != *count) return "<Tensor>";
  if (*count != 1) return torch::tensor_text(scalar_name(tensor.data_type), tensor.dims, *elements);
  const Stored exact = stored(tensor);
  const auto* integers = std::get_if<std::vector<std::int64_t>>(&exact);
  const bool whole = integers && tensor.data_type != kFloat16 && tensor.data_type != kBfloat16;
  return whole ? torch::scalar_text(integers->front()) : torch::scalar_text(elements->front());
}

// Both notations differ in floats, texts and empty lists.
torch::Attribute attribute_of(const Attribute& attribute) {
  torch::Attribute out{.name = std::string(attribute.name), .text = {}, .old_text = {}};
  const auto integer = [](std::int64_t value) { return std::to_string(value); };
  const auto plain = [](Text text) { return std::string(text); };
  const auto both = [&out](std::string text) { out.text = out.old_text = std::move(text); };
  const auto list = [&out](const auto& values, const char* type, auto text, auto old_text) {
    out.text =
        values.empty() ? "annotate(List[" + std::string(type) + "], [])" : torch::list_text(values, text);
    out.old_text = torch::list_text(values, old_text);
  };
  switch (kind_of(attribute)) {
    case AttributeKind::real:
      out.text = torch::float_text(attribute.f.value_or(0));
      out.old_text = torch::old_float_text(attribute.f.value_or(0));
      break;
    case AttributeKind::integer: both(std::to_string(attribute.i.value_or(0))); break;
    case AttributeKind::string:
      out.text = torch::string_text(attribute.s);
      out.old_text = attribute.s;
      break;
    case AttributeKind::tensor: both(attribute.t ? tensor_text(*attribute.t) : "<Tensor>"); break;
    case AttributeKind::graph: out.old_text = "<Graph>"; break;
    case AttributeKind::graphs: out.old_text = "[<Graphs>]"; break;
    case AttributeKind::reals:
      list(attribute.floats, "float", torch::float_text, torch::old_float_text);
      break;
    case AttributeKind::integers: list(attribute.ints, "int", integer, integer); break;
    case AttributeKind::strings: list(attribute.strings, "str", torch::string_text, plain); break;
    case AttributeKind::tensors: both("[<Tensors>]"); break;
    case AttributeKind::sparse_tensor: both("<SparseTensor>"); break;
    case AttributeKind::sparse_tensors: both("[<SparseTensors>]"); break;
    case AttributeKind::type: both("<Type>"); break;
    case AttributeKind::types: both("[<Types>]"); break;
    case AttributeKind::undefined: both("<Unknown>"); break;
  }
  return out;
}

class TorchPage {
 public:
  TorchPage(const Graph& graph, const ModelTypes& inferred) : graph_(graph), inferred_(inferred) {
    for (const NamedValue& found : inferred.values(graph))
      if (auto type = torch::type_of(found.value->type)) types_[found.name] = std::move(type);
    for (const auto* values : {&graph.value_infos, &graph.inputs, &graph.outputs})
      for (const ValueInfo& value : *values) add(value);
  }

  torch::Block block() const {
    torch::Block out{.inputs = inputs(), .nodes = {}, .outputs = {}};
    for (const Node& node : graph_.nodes) out.nodes.push_back(statement(node));
    for (const ValueInfo& output : graph_.outputs) out.outputs.emplace_back(output.name);
    return out;
  }

 private:
  // An inferred type has at least the facts of the declared one.
  void add(const ValueInfo& value) {
    if (value.type && !types_.contains(value.name)) types_[value.name] = type_of(*value.type);
  }

  torch::Value definition(Text name) const {
    const auto found = types_.find(name);
    return {.name = std::string(name), .type = found == types_.end() ? std::nullopt : found->second};
  }

  std::vector<torch::Value> inputs() const {
    std::unordered_set<Text> initialized, listed;
    for (const Tensor& tensor : graph_.initializers) initialized.insert(tensor.name);
    std::vector<torch::Value> out;
    for (const ValueInfo& input : graph_.inputs) {
      out.push_back(definition(input.name));
      out.back().parameter = initialized.contains(input.name);
      listed.insert(input.name);
    }
    for (const Tensor& tensor : graph_.initializers)
      if (!listed.contains(tensor.name)) out.push_back(parameter(tensor));
    return out;
  }

  torch::Node statement(const Node& node) const {
    torch::Node out{
        .outputs = {},
        .domain = node.domain.empty() || node.domain == "ai.onnx" ? "onnx" : std::string(node.domain),
        .op = std::string(node.op_type),
        .inputs = {node.inputs.begin(), node.inputs.end()},
        .scope = module_path(node),
        .place = source_line(node)};
    for (const Text name : node.outputs)
      if (!name.empty()) out.outputs.push_back(definition(name));
    for (const Attribute& attribute : node.attributes) {
      out.attributes.push_back(attribute_of(attribute));
      for (const Graph& inner : attribute.graphs) out.blocks.push_back(TorchPage(inner, inferred_).block());
      if (!attribute.g) continue;
      // PyTorch's first block is what is done if the condition is true.
      const bool first = attribute.name == "then_branch";
      out.blocks.insert(first ? out.blocks.begin() : out.blocks.end(),
                        TorchPage(*attribute.g, inferred_).block());
    }
    return out;
  }

  const Graph& graph_;
  const ModelTypes& inferred_;
  std::unordered_map<Text, std::optional<torch::Type>> types_;
};

}  // namespace

torch::Block torch_block(Opened opened) {
  sort_nodes(opened);
  ModelTypes inferred(opened, false);
  try {
    inferred.run();
  } catch (const Error&) {
    // `cameo check` reports the faults of the model; its graph is printed as it is.
  }
  return TorchPage(opened.graph(), inferred).block();
}

}  // namespace cameo::model
