#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <ranges>
#include <unordered_set>

#include "base/index.h"
#include "view/layout/layered.h"

namespace cameo::view {
namespace {

constexpr int kBetweenItems = 24, kBetweenLines = 12;

// The distance between the middles of neighbours.
int distance(const Layered& layered, int a, int b) {
  const int gap = layered.passes(a) && layered.passes(b) ? kBetweenLines : kBetweenItems;
  return layered.width[as_size(a)] / 2 + layered.width[as_size(b)] / 2 + gap;
}

// One of the four alignments, as seen after ranks and points were mirrored such that it is the one that goes
// down and to the left.
struct View {
  bool up, right;
  // The point `i` places from the left, seen so.
  std::size_t index(std::size_t size, std::size_t i) const { return right ? size - 1 - i : i; }
};

// Edges that cross a line between two passing points, which has to stay straight: pairs of upper and lower end.
std::unordered_set<std::uint64_t> find_conflicts(Layered& layered) {
  std::unordered_set<std::uint64_t> conflicts;
  for (std::size_t r = 0; r + 1 < layered.ranks.size(); ++r) {
    const std::vector<int>& lower = layered.ranks[r + 1];
    int left = 0;
    std::size_t scanned = 0;
    for (std::size_t i = 0; i < lower.size(); ++i) {
      const int point = lower[i];
      const bool inner = layered.passes(point) && layered.passes(layered.up[as_size(point)].front());
      if (!inner && i + 1 < lower.size()) continue;
      const int right = inner ? layered.position[as_size(layered.up[as_size(point)].front())]
                              : static_cast<int>(layered.ranks[r].size()) - 1;
      for (; scanned <= i; ++scanned)
        for (const int above : layered.up[as_size(lower[scanned])]) {
          ++layered.operations;
          const int position = layered.position[as_size(above)];
          const bool itself = layered.passes(above) && layered.passes(lower[scanned]);
          if (!itself && (position < left || position > right))
            conflicts.insert(static_cast<std::uint64_t>(above) << 32U | static_cast<std::uint32_t>(lower[scanned]));
        }
      left = right;
    }
  }
  return conflicts;
}

class Alignment {
 public:
  Alignment(Layered& layered, const std::unordered_set<std::uint64_t>& conflicts, View view)
      : layered_(layered), conflicts_(conflicts), view_(view) {}

  // The middle of each point.
  std::vector<int> run() {
    align();
    return compact();
  }

 private:
  bool in_conflict(int a, int b) const {
    const int above = view_.up ? b : a, below = view_.up ? a : b;
    return conflicts_.contains(static_cast<std::uint64_t>(above) << 32U | static_cast<std::uint32_t>(below));
  }

  // Joins points into blocks that have one x: each with one of its middle neighbours.
  void align() {
    root_.resize(layered_.rank.size());
    for (std::size_t i = 0; i < root_.size(); ++i) root_[i] = static_cast<int>(i);
    std::vector<bool> aligned(root_.size());
    const std::size_t ranks = layered_.ranks.size();
    for (std::size_t r = 1; r < ranks; ++r) {
      const std::vector<int>& rank = layered_.ranks[view_.up ? ranks - 1 - r : r];
      int last = -1;
      for (std::size_t i = 0; i < rank.size(); ++i) {
        const int point = rank[view_.index(rank.size(), i)];
        last = align(point, last, aligned);
      }
    }
  }

  int align(int point, int last, std::vector<bool>& aligned) {
    std::vector<int> others = (view_.up ? layered_.down : layered_.up)[as_size(point)];
    layered_.operations += others.size() + 1;
    if (others.empty()) return last;
    std::ranges::sort(others, {}, [this](int other) { return seen(other); });
    for (const std::size_t middle : {(others.size() - 1) / 2, others.size() / 2}) {
      const int other = others[middle];
      if (aligned[as_size(other)] || seen(other) <= last || in_conflict(other, point)) continue;
      root_[as_size(point)] = root_[as_size(other)];
      aligned[as_size(other)] = true;
      return seen(other);
    }
    return last;
  }

  int seen(int point) const {
    const int position = layered_.position[as_size(point)];
    const auto size = static_cast<int>(layered_.ranks[as_size(layered_.rank[as_size(point)])].size());
    return view_.right ? size - 1 - position : position;
  }

  struct Neighbour {
    int block, distance;
  };

  // Places blocks as far to the left as their neighbours permit, and then each as near to its right neighbours
  // as they permit.
  std::vector<int> compact() {
    const std::size_t count = root_.size();
    std::vector<std::vector<Neighbour>> right(count);
    std::vector<int> waiting(count);
    for (const std::vector<int>& rank : layered_.ranks)
      for (std::size_t i = 1; i < rank.size(); ++i) {
        const int a = rank[view_.index(rank.size(), i - 1)], b = rank[view_.index(rank.size(), i)];
        right[as_size(root_[as_size(a)])].push_back({root_[as_size(b)], distance(layered_, a, b)});
        ++waiting[as_size(root_[as_size(b)])];
        ++layered_.operations;
      }
    std::vector<int> x(count), order;
    for (std::size_t i = 0; i < count; ++i)
      if (root_[i] == static_cast<int>(i) && waiting[i] == 0) order.push_back(static_cast<int>(i));
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const Neighbour& next : right[as_size(order[i])]) {
        x[as_size(next.block)] = std::max(x[as_size(next.block)], x[as_size(order[i])] + next.distance);
        if (--waiting[as_size(next.block)] == 0) order.push_back(next.block);
        ++layered_.operations;
      }
    for (const int block : order | std::views::reverse) {
      int room = std::numeric_limits<int>::max();
      for (const Neighbour& next : right[as_size(block)]) room = std::min(room, x[as_size(next.block)] - next.distance);
      if (room != std::numeric_limits<int>::max()) x[as_size(block)] = std::max(x[as_size(block)], room);
    }
    for (std::size_t i = 0; i < count; ++i) x[i] = x[as_size(root_[i])];
    if (view_.right)
      for (int& each : x) each = -each;
    return x;
  }

  Layered& layered_;
  const std::unordered_set<std::uint64_t>& conflicts_;
  View view_;
  std::vector<int> root_;  // the point that stands for the block
};

struct Extent {
  int least = std::numeric_limits<int>::max(), most = std::numeric_limits<int>::min();
  int width() const { return most - least; }
};

Extent extent(const Layered& layered, const std::vector<int>& x) {
  Extent found;
  for (std::size_t i = 0; i < x.size(); ++i) {
    found.least = std::min(found.least, x[i] - layered.width[i] / 2);
    found.most = std::max(found.most, x[i] + layered.width[i] / 2);
  }
  return found;
}

}  // namespace

std::vector<int> place_points(Layered& layered) {
  const std::unordered_set<std::uint64_t> conflicts = find_conflicts(layered);
  constexpr std::array<View, 4> kViews = {{{false, false}, {false, true}, {true, false}, {true, true}}};
  std::array<std::vector<int>, 4> all;
  std::array<Extent, 4> extents;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = Alignment(layered, conflicts, kViews[i]).run();
    extents[i] = extent(layered, all[i]);
  }
  const Extent narrowest = *std::ranges::min_element(extents, {}, &Extent::width);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int shift = kViews[i].right ? narrowest.most - extents[i].most : narrowest.least - extents[i].least;
    for (int& x : all[i]) x += shift;
  }
  std::vector<int> x(layered.rank.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::array<int, 4> each = {all[0][i], all[1][i], all[2][i], all[3][i]};
    std::ranges::sort(each);
    x[i] = (each[1] + each[2]) >> 1;  // rounds down, also below 0, which keeps all distances
  }
  return x;
}

}  // namespace cameo::view
