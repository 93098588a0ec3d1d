#include "view/document/cycles.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/index.h"

namespace cameo::view {
namespace {

// Tarjan's algorithm.
class Search {
 public:
  explicit Search(const std::vector<std::vector<int>>& edges)
      : edges_(edges), number_(edges.size(), -1), lowest_(edges.size()), component_(edges.size(), -1) {}

  std::vector<int> run() {
    for (std::size_t root = 0; root < edges_.size(); ++root)
      if (number_[root] < 0) from(static_cast<int>(root));
    return std::move(component_);
  }

 private:
  void open(int node) {
    number_[as_size(node)] = lowest_[as_size(node)] = count_++;
    stack_.push_back(node);
    path_.emplace_back(node, 0);
  }

  void from(int root) {
    open(root);
    while (!path_.empty()) {
      auto& [node, next] = path_.back();
      if (next < edges_[as_size(node)].size()) {
        const int other = edges_[as_size(node)][next++];
        if (number_[as_size(other)] < 0)
          open(other);
        else if (component_[as_size(other)] < 0)
          lowest_[as_size(node)] = std::min(lowest_[as_size(node)], number_[as_size(other)]);
      } else {
        close(node);
      }
    }
  }

  void close(int node) {
    path_.pop_back();
    if (!path_.empty()) {
      const int above = path_.back().first;
      lowest_[as_size(above)] = std::min(lowest_[as_size(above)], lowest_[as_size(node)]);
    }
    if (lowest_[as_size(node)] != number_[as_size(node)]) return;
    for (int member = -1; member != node; stack_.pop_back()) {
      member = stack_.back();
      component_[as_size(member)] = components_;
    }
    ++components_;
  }

  const std::vector<std::vector<int>>& edges_;
  std::vector<int> number_, lowest_, component_, stack_;
  std::vector<std::pair<int, std::size_t>> path_;
  int count_ = 0, components_ = 0;
};

}  // namespace

std::vector<int> strong_components(const std::vector<std::vector<int>>& edges) { return Search(edges).run(); }

}  // namespace cameo::view
