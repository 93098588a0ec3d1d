#pragma once
#include <vector>

namespace cameo::view {

// The strongly connected component of each node of a graph, as a number below the number of nodes. `edges` are
// the neighbours in one direction. Linear, without recursion.
std::vector<int> strong_components(const std::vector<std::vector<int>>& edges);

}  // namespace cameo::view
