#pragma once
#include <unordered_set>

#include "exported/graph.h"

namespace cameo::exported {

// The nodes that do nothing but check where views begin in the memory of their bases: sym_storage_offset, numbers
// computed from it, and assertions about them. PyTorch adds them for views at runtime positions. Empty if another
// node reads such a number.
std::unordered_set<const Node*> offset_checks(const Graph& graph);

}  // namespace cameo::exported
