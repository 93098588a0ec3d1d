#include "view/layout/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "base/index.h"

namespace cameo::view {
namespace {

LayoutGraph items(int count) {
  LayoutGraph graph;
  graph.items.assign(as_size(count), {.width = 80, .height = 26});
  return graph;
}

// A deep network with residual branches; node i reads i-1 and some read i-5.
LayoutGraph residual(int count) {
  LayoutGraph graph = items(count);
  for (int i = 1; i < count; ++i) graph.edges.push_back({i - 1, i});
  for (int i = 5; i < count; i += 5) graph.edges.push_back({i - 5, i});
  return graph;
}

LayoutGraph random_graph(int count, unsigned seed) {
  std::mt19937 random(seed);
  LayoutGraph graph = items(count);
  for (LayoutItem& item : graph.items) item.width = 2 * static_cast<int>(20 + random() % 60);
  for (int i = 1; i < count; ++i) {
    std::vector<int> from;
    for (unsigned k = 0; k < 1 + random() % 3; ++k) from.push_back(std::max(0, i - 1 - static_cast<int>(random() % 30)));
    std::ranges::sort(from);
    from.erase(std::unique(from.begin(), from.end()), from.end());
    for (const int each : from) graph.edges.push_back({each, i});
  }
  return graph;
}

// Items and lines of each rank, in their order, do not touch, and edges go down.
void expect_sound(const LayoutGraph& graph, const Layout& layout) {
  for (const std::vector<int>& rank : layout.ranks)
    for (std::size_t i = 1; i < rank.size(); ++i)
      EXPECT_GE(layout.left[as_size(rank[i])], layout.left[as_size(rank[i - 1])] + graph.items[as_size(rank[i - 1])].width + 12);
  for (std::size_t r = 1; r < layout.top.size(); ++r)
    EXPECT_GE(layout.top[r], layout.top[r - 1] + layout.height[r - 1] + 20);
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const auto [from, to] = graph.edges[i];
    const LaidOutEdge& edge = layout.edges[i];
    if (edge.stub) continue;
    EXPECT_LT(layout.rank[as_size(from)], layout.rank[as_size(to)]);
    ASSERT_EQ(std::ssize(edge.via), layout.rank[as_size(to)] - layout.rank[as_size(from)] - 1);
    for (std::size_t k = 0; k < edge.via.size(); ++k)
      for (const int item : layout.ranks[as_size(layout.rank[as_size(from)]) + 1 + k])
        EXPECT_TRUE(edge.via[k] < layout.left[as_size(item)] || edge.via[k] > layout.left[as_size(item)] + graph.items[as_size(item)].width)
            << "edge " << i << " crosses item " << item;
    for (const int x : {edge.from_x, edge.to_x}) EXPECT_GE(x, 0);
  }
}

TEST(Layout, OfNothing) { EXPECT_EQ(lay_out({}).width, 0); }

TEST(Layout, ChainIsStraight) {
  LayoutGraph graph = items(200);
  for (int i = 1; i < 200; ++i) graph.edges.push_back({i - 1, i});
  const Layout layout = lay_out(graph);
  expect_sound(graph, layout);
  for (const int left : layout.left) EXPECT_EQ(left, 0);
}

TEST(Layout, ResidualChainStaysInTwoColumns) {
  const LayoutGraph graph = residual(1000);
  const Layout layout = lay_out(graph);
  expect_sound(graph, layout);
  EXPECT_LE(layout.width, 200);
}

TEST(Layout, RandomGraphsAreSound) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const LayoutGraph graph = random_graph(300, seed);
    expect_sound(graph, lay_out(graph));
  }
}

TEST(Layout, CycleHasAStub) {
  LayoutGraph graph = items(3);
  graph.edges = {{0, 1}, {1, 2}, {2, 0}};
  const Layout layout = lay_out(graph);
  expect_sound(graph, layout);
  EXPECT_EQ(std::ranges::count(layout.edges, true, &LaidOutEdge::stub), 1);
}

TEST(Layout, LongEdgesAreStubs) {
  LayoutGraph graph = items(60);
  for (int i = 1; i < 60; ++i) graph.edges.push_back({i - 1, i});
  graph.edges.push_back({0, kLongestEdge});
  graph.edges.push_back({0, kLongestEdge + 1});
  const Layout layout = lay_out(graph);
  EXPECT_FALSE(layout.edges[59].stub);
  EXPECT_TRUE(layout.edges[60].stub);
}

TEST(Layout, PortsAreFirstAndLast) {
  LayoutGraph graph = items(5);
  graph.items[3].place = LayoutItem::Place::first;
  graph.items[4].place = LayoutItem::Place::last;
  graph.edges = {{0, 1}, {3, 2}, {0, 4}};
  const Layout layout = lay_out(graph);
  expect_sound(graph, layout);
  EXPECT_EQ(layout.ranks.front(), std::vector({3}));
  EXPECT_EQ(layout.ranks.back(), std::vector({4}));
}

// Of each pair in a rank, which is left.
std::map<std::pair<int, int>, bool> orders(const Layout& layout, int items) {
  std::map<std::pair<int, int>, bool> found;
  for (int a = 0; a < items; ++a)
    for (int b = a + 1; b < items; ++b)
      if (layout.rank[as_size(a)] == layout.rank[as_size(b)]) found[{a, b}] = layout.left[as_size(a)] < layout.left[as_size(b)];
  return found;
}

TEST(Layout, AnAddedItemLeavesTheOrderOfTheOthers) {
  // Attention heads side by side.
  LayoutGraph graph = items(26);
  for (int head = 0; head < 8; ++head) {
    const int first = 1 + 3 * head;
    graph.edges.insert(graph.edges.end(), {{0, first}, {first, first + 1}, {first + 1, first + 2}, {first + 2, 25}});
  }
  const Layout before = lay_out(graph);
  graph.items.push_back({.width = 80, .height = 26});
  graph.edges.push_back({4, 26});
  graph.edges.push_back({26, 25});
  const Layout after = lay_out(graph);
  expect_sound(graph, after);
  EXPECT_EQ(orders(before, 26), orders(after, 26));
}

TEST(Layout, OperationsAreLinear) {
  for (LayoutGraph (*make)(int) : {+[](int count) { return residual(count); },
                                   +[](int count) { return random_graph(count, 1); }}) {
    const auto per_item = [&](int count) {
      return static_cast<double>(lay_out(make(count)).operations) / static_cast<double>(count);
    };
    const double small = per_item(1000);
    EXPECT_LT(per_item(100'000), 1.2 * small);
  }
}

}  // namespace
}  // namespace cameo::view
