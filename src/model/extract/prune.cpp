#include "model/extract/prune.h"

#include <algorithm>
#include <set>
#include <utility>

#include "model/graph/value_infos.h"
#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about
using onnx::proto::ValueInfo;

using Names = std::unordered_set<std::string_view>;

void keep_nodes(Graph& graph, const std::vector<bool>& kept) {
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (kept[i]) nodes.push_back(std::move(graph.nodes[i]));
  graph.nodes = std::move(nodes);
}

std::vector<ValueInfo> described(const ValueInfos& infos, const ValueNames& values) {
  std::vector<ValueInfo> list;
  for (const std::string_view value : values) list.push_back(infos.describe(value));
  return list;
}

// The values that stand at the top of the graph, which are not those that its subgraphs make.
Names values_of(const Graph& graph) {
  Names values;
  for (const Node& node : graph.nodes) values.insert(node.outputs.begin(), node.outputs.end());
  for (const Tensor& tensor : graph.initializers) values.insert(tensor.name);
  for (const SparseTensor& tensor : graph.sparse_initializers) values.insert(name_of(tensor));
  for (const ValueInfo& input : graph.inputs) values.insert(input.name);
  return values;
}

// Functions by domain and name, followed into what they call.
class Calls {
 public:
  explicit Calls(const std::vector<Function>& functions) : functions_(functions) {}

  void follow(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      each_subgraph(node, [this](const Graph& graph) { follow(graph.nodes); });
      for (const Function& function : functions_)
        if (function.name == node.op_type && function.domain == node.domain &&
            called_.insert(&function).second)
          follow(function.nodes);
    }
  }
  bool operator()(const Function& function) const { return called_.contains(&function); }

 private:
  const std::vector<Function>& functions_;
  std::set<const Function*> called_;
};

}  // namespace

void prune_functions(onnx::proto::Model& model) {
  Calls calls(model.functions);
  calls.follow(model.graph->nodes);
  std::vector<Function> kept;
  for (Function& function : model.functions)
    if (calls(function)) kept.push_back(std::move(function));
  model.functions = std::move(kept);
}

void prune(onnx::proto::Model& model, const Cut& part, const ValueNames& inputs, const ValueNames& outputs) {
  Graph& graph = *model.graph;
  const Names given(inputs.begin(), inputs.end());
  const auto idle = [&](Text value) { return !part.reads.contains(value) || given.contains(value); };
  std::vector<ValueInfo> new_outputs, new_inputs;
  {
    const Links links(graph);
    const ValueInfos infos(graph);
    new_outputs = described(infos, outputs);
    new_inputs = described(infos, inputs);
    for (const ValueInfo& input : graph.inputs)
      if (!idle(input.name) && (inputs.empty() || links.constants.contains(input.name)))
        new_inputs.push_back(input);
  }
  graph.inputs = std::move(new_inputs);
  graph.outputs = std::move(new_outputs);
  keep_nodes(graph, part.nodes);
  std::erase_if(graph.initializers, [&](const Tensor& tensor) { return idle(tensor.name); });
  std::erase_if(graph.sparse_initializers, [&](const SparseTensor& each) { return idle(name_of(each)); });
  Names values = values_of(graph);
  std::erase_if(graph.annotations,
                [&](const Annotation& each) { return !values.contains(each.tensor_name); });
  for (const auto* list : {&graph.inputs, &graph.outputs})
    for (const ValueInfo& info : *list) values.erase(info.name);
  std::erase_if(graph.value_infos, [&](const ValueInfo& info) { return !values.contains(info.name); });
  prune_functions(model);
  model.training.clear();
}

}  // namespace cameo::model
