#pragma once
#include "view/document/ports.h"

namespace cameo::view {

// Lays out each group and fills `groups` (layout columns), `items`, `edges` and `nodes.item` of the document,
// whose other tables must be complete.
void arrange(Document& document, const FlatGraph& graph, const Grouping& grouping, const std::vector<Flow>& flows);

}  // namespace cameo::view
