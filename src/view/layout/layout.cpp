#include "view/layout/layout.h"

#include <algorithm>
#include <limits>

#include "base/index.h"
#include "view/layout/layered.h"

namespace cameo::view {
namespace {

constexpr int kLeastGap = 32, kMostGap = 96;  // between ranks
constexpr int kAcrossPerGap = 12;             // pixels to the side for which a gap grows by one
constexpr int kBetweenEnds = 14, kFromCorner = 8;

class Assembly {
 public:
  Assembly(const LayoutGraph& graph, const Layered& layered, std::vector<int> middle)
      : graph_(graph), layered_(layered), middle_(std::move(middle)) {}

  Layout run() {
    items();
    edges();
    rows();
    made_.operations = layered_.operations + middle_.size();
    return std::move(made_);
  }

 private:
  void items() {
    int least = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < middle_.size(); ++i) least = std::min(least, middle_[i] - layered_.width[i] / 2);
    for (std::size_t i = 0; i < middle_.size(); ++i) {
      middle_[i] -= least;
      made_.width = std::max(made_.width, middle_[i] + layered_.width[i] / 2);
    }
    for (std::size_t i = 0; i < layered_.items; ++i) {
      made_.rank.push_back(layered_.rank[i]);
      made_.left.push_back(middle_[i] - layered_.width[i] / 2);
    }
    for (const std::vector<int>& rank : layered_.ranks) {
      std::vector<int>& row = made_.ranks.emplace_back();
      for (const int point : rank)
        if (!layered_.passes(point)) row.push_back(point);
    }
  }

  void edges() {
    std::vector<std::vector<int>> out(layered_.items), in(layered_.items);
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      LaidOutEdge& edge = made_.edges.emplace_back();
      edge.stub = layered_.stub[i];
      const auto [from, to] = graph_.edges[i];
      if (const int first = layered_.first_point[i]; first >= 0)
        for (int k = 0; k < layered_.rank[as_size(to)] - layered_.rank[as_size(from)] - 1; ++k)
          edge.via.push_back(middle_[as_size(first + k)]);
      out[as_size(from)].push_back(static_cast<int>(i));
      in[as_size(to)].push_back(static_cast<int>(i));
    }
    for (std::size_t item = 0; item < layered_.items; ++item) {
      spread(item, out[item], &LaidOutEdge::from_x, [this](int edge) {
        const LaidOutEdge& each = made_.edges[as_size(edge)];
        return each.via.empty() ? middle_[as_size(graph_.edges[as_size(edge)].to)] : each.via.front();
      });
      spread(item, in[item], &LaidOutEdge::to_x, [this](int edge) {
        const LaidOutEdge& each = made_.edges[as_size(edge)];
        return each.via.empty() ? middle_[as_size(graph_.edges[as_size(edge)].from)] : each.via.back();
      });
    }
  }

  // Distributes the ends of edges on a side of an item, in the order of their other ends.
  template <class Other>
  void spread(std::size_t item, std::vector<int>& edges, int LaidOutEdge::* end, Other other) {
    std::ranges::stable_sort(edges, {}, other);
    const auto count = static_cast<int>(edges.size());
    const int room = std::max(0, layered_.width[item] - 2 * kFromCorner);
    const int used = std::min(room, (count - 1) * kBetweenEnds);
    for (int i = 0; i < count; ++i)
      made_.edges[as_size(edges[as_size(i)])].*end = middle_[item] - used / 2 + (count > 1 ? used * i / (count - 1) : 0);
  }

  // Gaps with edges that go far to the side are higher.
  void rows() {
    const std::size_t count = layered_.ranks.size();
    std::vector<int> across(count + 1);
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      const LaidOutEdge& edge = made_.edges[i];
      if (edge.stub) continue;
      int x = edge.from_x;
      std::size_t rank = as_size(layered_.rank[as_size(graph_.edges[i].from)]);
      const auto step = [&](int next) {
        across[rank] = std::max(across[rank], std::abs(next - x));
        x = next;
        ++rank;
      };
      for (const int next : edge.via) step(next);
      step(edge.to_x);
    }
    int y = 0;
    for (std::size_t r = 0; r < count; ++r) {
      int height = 0;
      for (const int item : made_.ranks[r]) height = std::max(height, graph_.items[as_size(item)].height);
      made_.top.push_back(y);
      made_.height.push_back(height);
      made_.total_height = y + height;
      y += height + std::min(kMostGap, kLeastGap + across[r] / kAcrossPerGap);
    }
  }

  const LayoutGraph& graph_;
  const Layered& layered_;
  std::vector<int> middle_;
  Layout made_;
};

}  // namespace

Layout lay_out(const LayoutGraph& graph) {
  if (graph.items.empty()) return {};
  Layered layered = layer(graph, rank_items(graph));
  order_points(layered);
  std::vector<int> middle = place_points(layered);
  return Assembly(graph, layered, std::move(middle)).run();
}

}  // namespace cameo::view
