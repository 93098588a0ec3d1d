#pragma once
#include <cstddef>
#include <functional>
#include <unordered_map>

#include "onnx/graph.h"

namespace cameo::rules {

// The graph and every subgraph below it, outer ones first.
void for_each_graph(onnx::Graph& graph, const std::function<void(onnx::Graph&)>& visit);

// How many nodes and graph outputs read each value.
std::unordered_map<const onnx::Value*, std::size_t> count_uses(onnx::Graph& main);

}  // namespace cameo::rules
