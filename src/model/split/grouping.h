#pragma once
// Which part each node of a model belongs to.

#include <string>
#include <vector>

#include "cameo/model.h"
#include "model/extract/endpoints.h"
#include "model/split/marks.h"

namespace cameo::model {

struct PartName {
  std::string name;    // of the part and of its file
  std::string target;  // what SplitOptions::assign names; empty otherwise
};

// Parts in the order in which they run: a node reads only values of its own part and of parts before it.
struct Grouping {
  std::vector<std::size_t> part_of;  // by node
  std::vector<PartName> parts;
};

// A model whose nodes are in topological order, as the functions below need it.
struct SplitSource {
  const onnx::proto::Graph& graph;
  const Links& links;
  const std::vector<Mark>& marks;
  const std::string& file;
};

// Throws Error (stage check) for a cut that does not exist or that separates nothing.
Grouping group_by_cuts(const SplitSource& source, const std::vector<std::string>& cuts);

// Each node belongs to the target of the first pattern that matches it. Nodes of one target that can run one after
// the other are one part. Throws Error for a pattern that matches nothing, and for a node that none matches.
Grouping group_by_targets(const SplitSource& source,
                          const std::vector<std::pair<std::string, std::string>>& assign);

// Parts with about the same bytes of weights. The places where few values pass from part to part are preferred.
Grouping group_evenly(const SplitSource& source, std::size_t parts);

// Parts of at most `most` bytes of weights. Throws Error (Code::part_too_large) if one node needs more.
Grouping group_by_size(const SplitSource& source, std::uint64_t most);

}  // namespace cameo::model
