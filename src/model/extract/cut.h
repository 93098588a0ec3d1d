#pragma once
#include <string_view>
#include <unordered_set>
#include <vector>

#include "model/graph/links.h"

namespace cameo::model {

using ValueNames = std::vector<std::string_view>;

// What is needed to compute some values of a graph from others.
struct Cut {
  std::vector<bool> nodes;                     // by node: is it needed?
  std::unordered_set<std::string_view> reads;  // what is needed beside what the nodes make: `from`, inputs,
                                               // initialisers
};
// From `from`, and from inputs where those do not suffice.
Cut cut(const Links& links, const ValueNames& from, const ValueNames& to);

// The values that depend on one of `values`, these included.
std::unordered_set<std::string_view> dependents(const onnx::proto::Graph& graph, const Links& links,
                                                const ValueNames& values);

}  // namespace cameo::model
