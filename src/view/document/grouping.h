#pragma once
// The tree of groups, without their layouts.

#include <string>
#include <vector>

#include "view/document/flatten.h"
#include "view/document/places.h"

namespace cameo::view {

// A row of nodes or groups with more members is cut into parts.
inline constexpr std::size_t kMostMembers = 200;

struct Member {
  bool is_group = false;
  int index = 0;  // of a node or a group
};
struct Group {
  GroupKind kind = GroupKind::root;
  int parent = -1, node = -1, body = 0;
  std::string path, name, type;
  std::vector<Member> members;  // in the order of the file
};
struct Grouping {
  std::vector<Group> groups;  // in preorder
  std::vector<int> of_node;   // the group in which a node stands
  std::vector<int> control;   // by node: the group of its bodies, or -1
  std::vector<int> of_body;
};

// `places` by node. No group of modules or scopes both feeds a neighbour and is fed by it: such a group is
// divided. A module with one node has no group.
Grouping make_groups(const FlatGraph& graph, const std::vector<Place>& places);

}  // namespace cameo::view
