#pragma once
// The graph of a layout with a point in each rank that an edge passes.

#include <cstddef>
#include <vector>

#include "view/layout/layout.h"

namespace cameo::view {

// Points are the items, and after them the places where edges pass a rank.
struct Layered {
  std::vector<int> rank, width;              // by point
  std::vector<std::vector<int>> up, down;    // neighbours in the rank above and below
  std::vector<std::vector<int>> ranks;       // points from left to right
  std::vector<int> position;                 // in its rank
  std::size_t items = 0;                     // points below are items
  std::vector<int> first_point;              // by edge: the first of its points in between; -1 if it has none
  std::vector<bool> stub;                    // by edge
  std::size_t operations = 0;

  bool passes(int point) const { return static_cast<std::size_t>(point) >= items; }
};

// The rank of each item, and the edges that close a cycle.
struct Ranking {
  std::vector<int> rank;
  std::vector<bool> closes_cycle;
  std::size_t operations = 0;
};
Ranking rank_items(const LayoutGraph& graph);

// Ranks and points, in the order of the items.
Layered layer(const LayoutGraph& graph, const Ranking& ranking);

// Changes the order within the ranks so that few edges cross.
void order_points(Layered& layered);

// The middle of each point, such that neighbours do not touch and long edges are straight (Brandes and Koepf:
// Fast and Simple Horizontal Coordinate Assignment).
std::vector<int> place_points(Layered& layered);

}  // namespace cameo::view
