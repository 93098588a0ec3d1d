#pragma once
#include <string>
#include <vector>

#include "model/extract/cut.h"

namespace cameo::model {

// The ends of a part of a graph, named by values or by nodes. All results point into the graph, name each
// value once, and keep the order of the names.
class Endpoints {
 public:
  Endpoints(const onnx::proto::Graph& graph, const Links& links, const std::string& file)
      : graph_(graph), links_(links), file_(file) {}

  // Each value, and those inputs of each node that depend on the inputs of the graph. Both throw Error (stage
  // check) with all names that are unknown, or of values within subgraphs.
  ValueNames starts(const std::vector<std::string>& names) const;
  // Each value, and all results of each node.
  ValueNames ends(const std::vector<std::string>& names) const;

 private:
  template <class OfNode>
  ValueNames resolve(const std::vector<std::string>& names, OfNode of_node) const;

  const onnx::proto::Graph& graph_;
  const Links& links_;
  const std::string& file_;
};

// Throws Error (stage check) unless `to` can be computed from `from`, which must not be empty, and all of it
// is needed. The hint names values that work.
void require_cover(const onnx::proto::Graph& graph, const Links& links, const ValueNames& from,
                   const ValueNames& to, const std::string& file);

}  // namespace cameo::model
