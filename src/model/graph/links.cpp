#include "model/graph/links.h"

#include <unordered_set>

#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about
using onnx::proto::ValueInfo;

using Names = std::unordered_set<std::string_view>;

class Reads {
 public:
  void node(const Node& node) {
    for (const Text input : node.inputs) add(input);
    each_subgraph(node, [this](const Graph& graph) { this->graph(graph); });
  }
  std::vector<Text> take() { return std::move(found_); }

 private:
  void graph(const Graph& graph) {
    Names& own = inside_.emplace_back();
    for (const ValueInfo& input : graph.inputs) own.insert(input.name);
    for (const Tensor& tensor : graph.initializers) own.insert(tensor.name);
    for (const SparseTensor& tensor : graph.sparse_initializers) own.insert(name_of(tensor));
    for (const Node& node : graph.nodes) own.insert(node.outputs.begin(), node.outputs.end());
    for (const Node& node : graph.nodes) this->node(node);
    for (const ValueInfo& output : graph.outputs) add(output.name);
    inside_.pop_back();
  }
  void add(Text name) {
    if (name.empty()) return;
    for (const Names& names : inside_)
      if (names.contains(name)) return;
    if (seen_.insert(name).second) found_.push_back(name);
  }

  std::vector<Names> inside_;  // what the graphs around define themselves
  Names seen_;
  std::vector<Text> found_;
};

}  // namespace

std::vector<Text> reads(const Node& node) {
  Reads reads;
  reads.node(node);
  return reads.take();
}

Links::Links(const Graph& graph) {
  for (const Tensor& tensor : graph.initializers) constants.emplace(tensor.name, constants.size());
  for (const SparseTensor& tensor : graph.sparse_initializers)
    constants.emplace(name_of(tensor), constants.size());
  for (const ValueInfo& input : graph.inputs)
    if (!constants.contains(input.name)) open_inputs.emplace(input.name, open_inputs.size());
  for (const Node& node : graph.nodes) {
    for (const Text output : node.outputs)
      if (!output.empty()) maker.emplace(output, reads.size());
    reads.push_back(model::reads(node));
  }
}

}  // namespace cameo::model
