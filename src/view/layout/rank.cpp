#include <algorithm>
#include <limits>
#include <ranges>

#include "base/index.h"
#include "view/layout/layered.h"

namespace cameo::view {
namespace {

using Place = LayoutItem::Place;

// Edges by item, as ranges of one list.
class Adjacent {
 public:
  Adjacent(const LayoutGraph& graph, int LayoutEdge::* end) : start_(graph.items.size() + 1), edges_(graph.edges.size()) {
    for (const LayoutEdge& edge : graph.edges) ++start_[as_size(edge.*end) + 1];
    for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
    std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
    for (std::size_t i = 0; i < graph.edges.size(); ++i) edges_[next[as_size(graph.edges[i].*end)]++] = static_cast<int>(i);
  }
  std::size_t begin(std::size_t item) const { return start_[item]; }
  std::size_t end(std::size_t item) const { return start_[item + 1]; }
  int operator[](std::size_t i) const { return edges_[i]; }

 private:
  std::vector<std::size_t> start_;
  std::vector<int> edges_;
};

class Ranker {
 public:
  explicit Ranker(const LayoutGraph& graph)
      : graph_(graph), out_(graph, &LayoutEdge::from), in_(graph, &LayoutEdge::to) {}

  Ranking run() {
    result_.rank.resize(graph_.items.size());
    result_.closes_cycle.resize(graph_.edges.size());
    sort();
    push_down();
    pull_down();
    ports();
    return std::move(result_);
  }

 private:
  // Depth first, without recursion. An edge to an item that is still open closes a cycle.
  void sort() {
    enum class State : char { unseen, open, done };
    std::vector<State> states(graph_.items.size());
    std::vector<std::pair<std::size_t, std::size_t>> path;  // item, next edge
    for (std::size_t root = 0; root < graph_.items.size(); ++root) {
      if (states[root] != State::unseen) continue;
      states[root] = State::open;
      path.emplace_back(root, out_.begin(root));
      while (!path.empty()) {
        ++result_.operations;
        auto& [item, next] = path.back();
        if (next == out_.end(item)) {
          states[item] = State::done;
          order_.push_back(item);
          path.pop_back();
          continue;
        }
        const int edge = out_[next++];
        const std::size_t target = as_size(graph_.edges[as_size(edge)].to);
        if (states[target] == State::open) result_.closes_cycle[as_size(edge)] = true;
        if (states[target] != State::unseen) continue;
        states[target] = State::open;
        path.emplace_back(target, out_.begin(target));
      }
    }
    std::ranges::reverse(order_);
  }

  // The length of the longest path from above.
  void push_down() {
    for (const std::size_t item : order_)
      for (std::size_t i = out_.begin(item); i < out_.end(item); ++i) {
        ++result_.operations;
        const int edge = out_[i];
        if (result_.closes_cycle[as_size(edge)]) continue;
        int& below = result_.rank[as_size(graph_.edges[as_size(edge)].to)];
        below = std::max(below, result_.rank[item] + 1);
      }
  }

  // Items with more edges below than above move down to their readers.
  void pull_down() {
    for (const std::size_t item : order_ | std::views::reverse) {
      const std::size_t above = in_.end(item) - in_.begin(item), below = out_.end(item) - out_.begin(item);
      if (below <= above || graph_.items[item].place != Place::anywhere) continue;
      int lowest = std::numeric_limits<int>::max();
      for (std::size_t i = out_.begin(item); i < out_.end(item); ++i) {
        ++result_.operations;
        const int edge = out_[i];
        if (!result_.closes_cycle[as_size(edge)]) lowest = std::min(lowest, result_.rank[as_size(graph_.edges[as_size(edge)].to)] - 1);
      }
      if (lowest != std::numeric_limits<int>::max()) result_.rank[item] = std::max(result_.rank[item], lowest);
    }
  }

  // Ports get ranks of their own; an edge into a first or out of a last item cannot go down.
  void ports() {
    const auto is = [](Place place) { return [place](const LayoutItem& item) { return item.place == place; }; };
    const bool first = std::ranges::any_of(graph_.items, is(Place::first));
    int least = std::numeric_limits<int>::max(), most = -1;
    for (std::size_t i = 0; i < graph_.items.size(); ++i) {
      if (graph_.items[i].place != Place::anywhere) continue;
      least = std::min(least, result_.rank[i]);
      most = std::max(most, result_.rank[i]);
    }
    const int shift = (first ? 1 : 0) - (most < 0 ? 0 : least);
    for (std::size_t i = 0; i < graph_.items.size(); ++i) {
      int& rank = result_.rank[i];
      switch (graph_.items[i].place) {
        case Place::first: rank = 0; break;
        case Place::last: rank = most < 0 ? (first ? 1 : 0) : most + shift + 1; break;
        case Place::anywhere: rank += shift; break;
      }
    }
    for (std::size_t i = 0; i < graph_.edges.size(); ++i)
      if (result_.rank[as_size(graph_.edges[i].from)] >= result_.rank[as_size(graph_.edges[i].to)]) result_.closes_cycle[i] = true;
  }

  const LayoutGraph& graph_;
  Adjacent out_, in_;
  std::vector<std::size_t> order_;  // topological
  Ranking result_;
};

}  // namespace

Ranking rank_items(const LayoutGraph& graph) { return Ranker(graph).run(); }

Layered layer(const LayoutGraph& graph, const Ranking& ranking) {
  Layered made;
  made.items = graph.items.size();
  made.rank = ranking.rank;
  for (const LayoutItem& item : graph.items) made.width.push_back(item.width);
  made.up.resize(made.items);
  made.down.resize(made.items);
  made.stub = ranking.closes_cycle;
  std::vector<std::size_t> long_edges(made.items);
  const auto length = [&](const LayoutEdge& edge) { return made.rank[as_size(edge.to)] - made.rank[as_size(edge.from)]; };
  for (const LayoutEdge& edge : graph.edges) long_edges[as_size(edge.from)] += length(edge) > 1 ? 1 : 0;
  std::vector<std::vector<int>> passing(made.items);  // points of the edges of each item
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const LayoutEdge& edge = graph.edges[i];
    made.first_point.push_back(-1);
    if (made.stub[i]) continue;
    if (length(edge) > kLongestEdge || (length(edge) > 1 && long_edges[as_size(edge.from)] > kMostLongEdges)) {
      made.stub[i] = true;
      continue;
    }
    int above = edge.from;
    for (int rank = made.rank[as_size(edge.from)] + 1; rank <= made.rank[as_size(edge.to)]; ++rank, ++made.operations) {
      int below = edge.to;
      if (rank < made.rank[as_size(edge.to)]) {
        below = static_cast<int>(made.rank.size());
        if (made.first_point[i] < 0) made.first_point[i] = below;
        made.rank.push_back(rank);
        made.width.push_back(0);
        made.up.emplace_back();
        made.down.emplace_back();
        passing[as_size(edge.from)].push_back(below);
      }
      made.down[as_size(above)].push_back(below);
      made.up[as_size(below)].push_back(above);
      above = below;
    }
  }
  int ranks = 0;
  for (const int rank : made.rank) ranks = std::max(ranks, rank + 1);
  made.ranks.resize(as_size(ranks));
  for (std::size_t item = 0; item < made.items; ++item) {
    made.ranks[as_size(made.rank[item])].push_back(static_cast<int>(item));
    for (const int point : passing[item]) made.ranks[as_size(made.rank[as_size(point)])].push_back(point);
  }
  made.position.resize(made.rank.size());
  for (const std::vector<int>& rank : made.ranks)
    for (std::size_t i = 0; i < rank.size(); ++i) made.position[as_size(rank[i])] = static_cast<int>(i);
  made.operations += ranking.operations + made.rank.size();
  return made;
}

}  // namespace cameo::view
