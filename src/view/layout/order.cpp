#include <algorithm>
#include <cstdint>

#include "base/index.h"
#include "view/layout/layered.h"

namespace cameo::view {
namespace {

constexpr int kSweeps = 8;

// Sums of prefixes that change.
class Fenwick {
 public:
  explicit Fenwick(std::size_t size) : sums_(size + 1) {}
  void add(std::size_t i) {
    for (++i; i < sums_.size(); i += i & (~i + 1)) ++sums_[i];
  }
  std::int64_t up_to(std::size_t i) const {  // inclusive
    std::int64_t sum = 0;
    for (++i; i > 0; i -= i & (~i + 1)) sum += sums_[i];
    return sum;
  }

 private:
  std::vector<std::int64_t> sums_;
};

class Ordering {
 public:
  explicit Ordering(Layered& layered) : layered_(layered), weight_(layered.rank.size()) {}

  void run() {
    std::vector<std::vector<int>> best = layered_.ranks;
    std::int64_t fewest = crossings();
    for (int sweep = 0; sweep < kSweeps && fewest > 0; ++sweep) {
      this->sweep(sweep % 2 == 0);
      const std::int64_t now = crossings();
      if (now >= fewest) continue;
      fewest = now;
      best = layered_.ranks;
    }
    layered_.ranks = std::move(best);
    for (const std::vector<int>& rank : layered_.ranks) renumber(rank);
  }

 private:
  void renumber(const std::vector<int>& rank) {
    for (std::size_t i = 0; i < rank.size(); ++i) layered_.position[as_size(rank[i])] = static_cast<int>(i);
  }

  void sweep(bool down) {
    const std::size_t count = layered_.ranks.size();
    for (std::size_t i = 1; i < count; ++i)
      arrange(layered_.ranks[down ? i : count - 1 - i], down ? layered_.up : layered_.down);
  }

  // Sorts a rank by the mean position of the neighbours. A point without neighbours stays beside the point at
  // its left.
  void arrange(std::vector<int>& rank, const std::vector<std::vector<int>>& neighbours) {
    double before = -1;
    for (const int point : rank) {
      double sum = 0;
      for (const int other : neighbours[as_size(point)]) sum += layered_.position[as_size(other)];
      layered_.operations += neighbours[as_size(point)].size() + 1;
      const auto count = static_cast<double>(neighbours[as_size(point)].size());
      before = weight_[as_size(point)] = count > 0 ? sum / count : before;
    }
    std::ranges::stable_sort(rank, {}, [this](int point) { return weight_[as_size(point)]; });
    renumber(rank);
  }

  std::int64_t crossings() {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i + 1 < layered_.ranks.size(); ++i) sum += crossings_below(i);
    return sum;
  }

  // Pairs of edges in the wrong order at their lower ends.
  std::int64_t crossings_below(std::size_t rank) {
    Fenwick seen(layered_.ranks[rank + 1].size());
    std::int64_t sum = 0, count = 0;
    std::vector<std::size_t> ends;
    for (const int point : layered_.ranks[rank]) {
      ends.clear();
      for (const int below : layered_.down[as_size(point)]) ends.push_back(as_size(layered_.position[as_size(below)]));
      for (const std::size_t end : ends) sum += count - seen.up_to(end);
      for (const std::size_t end : ends) seen.add(end);
      count += static_cast<std::int64_t>(ends.size());
      layered_.operations += ends.size() + 1;
    }
    return sum;
  }

  Layered& layered_;
  std::vector<double> weight_;
};

}  // namespace

void order_points(Layered& layered) { Ordering(layered).run(); }

}  // namespace cameo::view
