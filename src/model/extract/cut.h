#pragma once
#include <string_view>
#include <unordered_set>
#include <vector>

#include "model/graph/links.h"

namespace cameo::model {

using ValueNames = std::vector<std::string_view>;

// The nodes that are needed to compute some values of a graph from others.
struct Cut {
  std::vector<bool> nodes;                     // by node: is it needed?
  std::unordered_set<std::string_view> reads;  // needed values that no needed node computes: `from`, inputs,
                                               // initialisers
};
// Computes from `from`, and from inputs if those do not suffice.
Cut cut(const Links& links, const ValueNames& from, const ValueNames& to);

// The values that depend on one of `values`, these included.
std::unordered_set<std::string_view> dependents(const onnx::proto::Graph& graph, const Links& links,
                                                const ValueNames& values);

}  // namespace cameo::model
