#pragma once
#include <optional>

#include "cameo/diagnostic.h"
#include "model/file/open.h"

namespace cameo::model {

// Puts the nodes of the graph, of its subgraphs and of functions in topological order, if they are not. Nodes
// keep the order of the file as far as possible. Returns a note that names the first node that was moved, or
// nothing. Nodes that form a cycle keep their places.
std::optional<Diagnostic> sort_nodes(Opened& opened);

}  // namespace cameo::model
