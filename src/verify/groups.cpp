#include "verify/groups.h"

namespace cameo::verify {
namespace {

using onnx::proto::Attribute;
using onnx::proto::Graph;
using onnx::proto::Node;

void add_reads(const Node& node, std::set<std::string_view>& reads);

// The values that a subgraph reads from outside. Names that it defines itself do no harm.
void add_reads(const Graph& graph, std::set<std::string_view>& reads) {
  for (const Node& node : graph.nodes) add_reads(node, reads);
  for (const onnx::proto::ValueInfo& output : graph.outputs) reads.insert(output.name);
}

void add_reads(const Node& node, std::set<std::string_view>& reads) {
  for (const std::string_view input : node.inputs)
    if (!input.empty()) reads.insert(input);
  for (const Attribute& attribute : node.attributes) {
    if (attribute.g) add_reads(*attribute.g, reads);
    for (const Graph& graph : attribute.graphs) add_reads(graph, reads);
  }
}

std::vector<Group> gather(const Graph& graph, const Origins& origins) {
  std::vector<Group> groups;
  for (const Node& node : graph.nodes) {
    const auto known = origins.find(node.name);
    const bool same = known != origins.end() && !groups.empty() && groups.back().origin == known->second;
    if (!same) groups.push_back({.origin = known == origins.end() ? Origin{} : known->second});
    groups.back().nodes.push_back(&node);
    add_reads(node, groups.back().reads);
  }
  return groups;
}

}  // namespace

std::vector<Group> groups_of(const Graph& graph, const Origins& origins) {
  std::vector<Group> groups = gather(graph, origins);
  for (Group& group : groups)
    for (const Node* node : group.nodes)
      for (const std::string_view output : node->outputs) group.reads.erase(output);
  std::set<std::string_view> wanted;
  for (const Group& group : groups) wanted.insert(group.reads.begin(), group.reads.end());
  for (const onnx::proto::ValueInfo& output : graph.outputs) wanted.insert(output.name);
  for (Group& group : groups) {
    for (const Node* node : group.nodes) {
      for (const std::string_view output : node->outputs) {
        if (!wanted.contains(output)) continue;
        group.results.push_back(output);
        group.givers.push_back(node);
      }
    }
  }
  return groups;
}

}  // namespace cameo::verify
