#pragma once
#include <set>
#include <string_view>
#include <vector>

#include "onnx/proto/messages.h"
#include "verify/origins.h"

namespace cameo::verify {

// Nodes that one call of an operator became; without an origin, one node.
struct Group {
  Origin origin;
  std::vector<const onnx::proto::Node*> nodes;
  std::set<std::string_view> reads;              // of other groups, inputs and weights, in subgraphs too
  std::vector<const onnx::proto::Node*> givers;  // of `results`, one each
  std::vector<std::string_view> results;         // that others read, or that the graph gives
};

// In the order of the graph.
std::vector<Group> groups_of(const onnx::proto::Graph& graph, const Origins& origins);

}  // namespace cameo::verify
