#include <algorithm>

#include <fmt/core.h>

#include "cameo/model.h"
#include "model/infer/declare.h"
#include "onnx/graph/value_info.h"

namespace cameo {
namespace {

using onnx::Type;
using onnx::proto::Graph;
using onnx::proto::Node;

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
  cameo::ValueInfo described(std::string_view name, const Type& type) {
    cameo::ValueInfo value = onnx::value_info(std::string(name), type);
    for (std::size_t axis = 0; value.shape && axis < value.shape->size(); ++axis)
      if ((*value.shape)[axis].size < 0)
        (*value.shape)[axis] = std::string(declarations_.text((*type.shape)[axis]));
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
  std::vector<Diagnostic> diagnostics;
  const std::shared_ptr<model::Opened> opened = sorted_copy(diagnostics);
  model::ModelTypes types(*opened, options.strict, options.fold_inputs);
  types.run();
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
