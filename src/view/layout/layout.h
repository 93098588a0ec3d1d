#pragma once
// Draws a graph in ranks: edges go down, items of a rank stand side by side. Time and memory are linear in the
// number of items and edges. The result depends on the order of the items only where nothing else decides.

#include <cstddef>
#include <vector>

namespace cameo::view {

struct LayoutItem {
  // The first or the last rank holds nothing else.
  enum class Place { anywhere, first, last };
  int width = 0, height = 0;  // even numbers
  Place place = Place::anywhere;
};
struct LayoutEdge {
  int from = 0, to = 0;
};
struct LayoutGraph {
  std::vector<LayoutItem> items;
  std::vector<LayoutEdge> edges;  // no two with the same ends
};

// Longer edges are stubs.
inline constexpr int kLongestEdge = 24;
// Edges over more than one rank from an item with more of them are stubs.
inline constexpr std::size_t kMostLongEdges = 24;

struct LaidOutEdge {
  int from_x = 0, to_x = 0;  // on the lower side of `from`, on the upper side of `to`
  bool stub = false;         // not drawn in full: too long, one of too many, or part of a cycle
  std::vector<int> via;      // x in each rank between both; empty for a stub
};
struct Layout {
  std::vector<int> rank, left;          // by item
  std::vector<std::vector<int>> ranks;  // items from left to right
  std::vector<int> top, height;         // by rank
  std::vector<LaidOutEdge> edges;
  int width = 0, total_height = 0;
  std::size_t operations = 0;  // steps of all inner loops
};

Layout lay_out(const LayoutGraph& graph);

}  // namespace cameo::view
