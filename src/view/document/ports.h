#pragma once
// The items in the layout of each group, and the values that flow between them.

#include <vector>

#include "view/document/grouping.h"

namespace cameo::view {

struct Item {
  ItemKind kind = ItemKind::node;
  int ref = 0;  // of a node, a group or a value
};
// A value on its way between two items of a group. A port is an item in the layout of the group that is the end
// of the edge; -1 if the end is no group.
struct Line {
  int value = 0, from_port = -1, to_port = -1;
};
struct Edge {
  int from = 0, to = 0;  // items of the group
  std::vector<Line> lines;
};
struct Flow {
  std::vector<Item> items;
  std::vector<Edge> edges;
};

// By group. Items are the members of the group in their order, and then the ports.
std::vector<Flow> make_flows(const FlatGraph& graph, const Grouping& grouping);

}  // namespace cameo::view
