#include <algorithm>

#include <fmt/format.h>

#include "cameo/model.h"
#include "model/infer/declare.h"
#include "onnx/graph/element_names.h"

namespace cameo {
namespace {

using onnx::Type;
using onnx::proto::Graph;
using onnx::proto::Node;

std::string type_text(const Type& type) {
  std::string element = onnx::plain_name(onnx::to_onnx(type.dtype));
  switch (type.kind) {
    case Type::Kind::tensor: return element;
    case Type::Kind::sequence: return "sequence of " + element;
    case Type::Kind::optional: return "optional " + element;
    case Type::Kind::optional_sequence: return "optional sequence of " + element;
    case Type::Kind::unknown: break;
  }
  return {};
}

class List {
 public:
  List(const model::ModelTypes& types, model::Declarations& declarations)
      : types_(types), declarations_(declarations) {}

  void add(const Graph& graph, const std::string& place) {
    std::unordered_map<std::string_view, const onnx::Value*> found;
    for (const model::NamedValue& each : types_.values(graph)) found.emplace(each.name, each.value);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const Node& node = graph.nodes[i];
      for (const std::string_view name : node.outputs)
        if (const auto value = found.find(name); value != found.end())
          values_.push_back({.value = described(name, value->second->type),
                             .op = std::string(node.op_type),
                             .graph = place});
      add_subgraphs(node, i, place);
    }
  }
  std::vector<InferredValue> take() { return std::move(values_); }

 private:
  ModelValue described(std::string_view name, const Type& type) {
    ModelValue value{.name = std::string(name), .type = type_text(type), .shape = {}};
    value.has_shape = type.shape.has_value();
    if (type.shape)
      for (const onnx::Dim& dim : *type.shape) value.shape.emplace_back(declarations_.text(dim));
    return value;
  }
  void add_subgraphs(const Node& node, std::size_t index, const std::string& place) {
    const std::string own =
        node.name.empty() ? fmt::format("{}_{}", node.op_type, index) : std::string(node.name);
    for (const onnx::proto::Attribute& attribute : node.attributes) {
      const std::string inner = fmt::format("{}{}.{}/", place, own, attribute.name);
      if (attribute.g) add(*attribute.g, inner);
      for (const Graph& graph : attribute.graphs) add(graph, inner);
    }
  }

  const model::ModelTypes& types_;
  model::Declarations& declarations_;
  std::vector<InferredValue> values_;
};

}  // namespace

Inferred Model::infer(const InferOptions& options) const {
  const std::shared_ptr<model::Opened> opened = copy();
  model::ModelTypes types(*opened, options.strict);
  types.run();
  std::vector<Diagnostic> diagnostics;
  for (onnx::Fault& fault : types.take_faults()) diagnostics.push_back(std::move(fault.diagnostic));
  if (std::ranges::any_of(diagnostics, [](const Diagnostic& d) { return d.severity == Severity::error; }))
    throw Error(std::move(diagnostics));
  const auto declarations = std::make_shared<model::Declarations>();
  List list(types, *declarations);
  list.add(opened->graph(), "");
  declarations->declare(*opened->model.graph, types);
  opened->kept.push_back(declarations);
  return {.model = Model(opened), .values = list.take(), .warnings = std::move(diagnostics)};
}

}  // namespace cameo
