#include "model/rewrite/names.h"

#include <fmt/core.h>

#include "model/graph/links.h"
#include "onnx/proto/visit.h"

namespace cameo::model {

namespace proto = onnx::proto;

Names::Names(const proto::Model& model) {
  if (model.graph) take(*model.graph);
  for (const proto::Function& function : model.functions) take(function.nodes);
}

void Names::take(const proto::Graph& graph) {
  for (const auto* values : {&graph.inputs, &graph.outputs, &graph.value_infos})
    for (const proto::ValueInfo& value : *values) taken_.insert(value.name);
  for (const proto::Tensor& tensor : graph.initializers) taken_.insert(tensor.name);
  for (const proto::SparseTensor& tensor : graph.sparse_initializers) taken_.insert(name_of(tensor));
  take(graph.nodes);
}

void Names::take(const std::vector<proto::Node>& nodes) {
  for (const proto::Node& node : nodes) {
    taken_.insert(node.name);
    taken_.insert(node.inputs.begin(), node.inputs.end());
    taken_.insert(node.outputs.begin(), node.outputs.end());
    proto::each_subgraph(node, [this](const proto::Graph& inner) { take(inner); });
  }
}

proto::Text Names::fresh(std::string_view wanted) {
  std::string candidate(wanted);
  for (int i = 1; taken_.contains(candidate); ++i) candidate = fmt::format("{}_{}", wanted, i);
  const proto::Text kept = texts_.keep(std::move(candidate));
  taken_.insert(kept);
  return kept;
}

}  // namespace cameo::model
