#include <algorithm>
#include <bit>
#include <unordered_map>

#include <fmt/core.h>

#include "base/index.h"
#include "base/style.h"
#include "model/stats/multiply_adds.h"
#include "view/document/tables.h"

namespace cameo::view {
namespace {

using model::Polynomial;

// "75497472", "3*batch + 5".
std::string formula(const Polynomial& sum) {
  std::string text;
  for (const auto& [sizes, factor] : sum.terms()) {
    text += fmt::format("{}{}", text.empty() ? "" : " + ", factor);
    for (const std::string& size : sizes)
      text += size.find_first_of(" +-*/(") == size.npos ? "*" + size : "*(" + size + ")";
  }
  return text.empty() ? "0" : text;
}

// The value where all sizes that are not known are 1.
double least_value(const Polynomial& sum) {
  double value = 0;
  for (const auto& [sizes, factor] : sum.terms()) value += static_cast<double>(factor);
  return value;
}

// Mixes numbers into one that tells sequences apart.
class Hash {
 public:
  void add(std::uint64_t number) {
    value_ = std::rotl((value_ ^ number) * 0x9E3779B97F4A7C15U, 29) ^ (value_ >> 32U);
  }
  void add(std::string_view text) { add(std::hash<std::string_view>()(text)); }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0x243F6A8885A308D3U;
};

class GroupTable {
 public:
  explicit GroupTable(Built& built)
      : built_(built), document_(built.document), groups_(built.document.groups), tree_(built.grouping.groups) {}

  void run() {
    for (const Group& group : tree_) {
      groups_.parent.push_back(group.parent);
      groups_.kind.push_back(group.kind);
      groups_.path.push_back(document_.strings.add(group.path));
      groups_.name.push_back(document_.strings.add(group.name));
      groups_.type.push_back(document_.strings.add(group.type));
      groups_.node.push_back(group.node);
    }
    count_nodes();
    count_weights();
    multiply_adds();
    find_equal();
  }

 private:
  // Children come after their parents.
  template <class Add>
  void up(Add add) {
    for (std::size_t i = tree_.size(); i-- > 1;) add(as_size(tree_[i].parent), i);
  }

  void count_nodes() {
    groups_.nodes.resize(tree_.size());
    for (const int group : built_.grouping.of_node)
      if (group >= 0) ++groups_.nodes[as_size(group)];
    up([&](std::size_t parent, std::size_t child) { groups_.nodes[parent] += groups_.nodes[child]; });
  }

  void count_weights() {
    groups_.parameters.resize(tree_.size());
    groups_.bytes.resize(tree_.size());
    const Weights& weights = document_.weights;
    std::vector<std::vector<int>> readers(weights.value.size());
    for (std::size_t i = 0; i < built_.flat.nodes.size(); ++i)
      for (const int value : built_.flat.nodes[i].inputs)
        if (value >= 0 && built_.flat.values[as_size(value)].weight >= 0)
          readers[as_size(built_.flat.values[as_size(value)].weight)].push_back(static_cast<int>(i));
    std::vector<std::size_t> counted(tree_.size(), weights.value.size());  // the last weight that a group counted
    for (std::size_t weight = 0; weight < readers.size(); ++weight)
      for (const int node : readers[weight])
        for (int group = built_.grouping.of_node[as_size(node)]; group >= 0 && counted[as_size(group)] != weight;
             group = tree_[as_size(group)].parent) {
          counted[as_size(group)] = weight;
          groups_.parameters[as_size(group)] += weights.elements[weight];
          groups_.bytes[as_size(group)] += weights.bytes[weight];
        }
  }

  void multiply_adds() {
    std::vector<Polynomial> sums(tree_.size());
    std::vector<char> known(tree_.size(), 1);
    Overlay overlay{.id = "multiply-adds", .name = "multiply-adds", .unit = "", .scale = "log", .good = "low", .combine = "sum"};
    for (std::size_t i = 0; i < built_.flat.nodes.size(); ++i) {
      const FlatNode& node = built_.flat.nodes[i];
      const model::ValueInfos* infos = built_.flat.bodies[as_size(node.body)].infos.get();
      const std::size_t group = as_size(built_.grouping.of_node[i]);
      model::MultiplyAdds found;
      if (infos && node.bodies.empty()) found = model::multiply_adds(*node.source, *infos);
      const bool none = found.count && found.count->terms().empty();
      overlay.node.push_back(found.count && !none ? least_value(*found.count) : NAN);
      overlay.node_text.push_back(found.count && !none ? document_.strings.add(formula(*found.count)) : 0);
      if (!none) add(sums[group], known[group], found.count);
    }
    up([&](std::size_t parent, std::size_t child) {
      add(sums[parent], known[parent], known[child] ? std::optional(sums[child]) : std::nullopt);
    });
    for (std::size_t i = 0; i < tree_.size(); ++i)
      groups_.multiply_adds.push_back(known[i] ? document_.strings.add(formula(sums[i])) : 0);
    close_overlay(overlay, built_);
    document_.overlays.push_back(std::move(overlay));
  }

  static void add(Polynomial& sum, char& known, const std::optional<Polynomial>& more) {
    const auto total = more ? Polynomial::sum(sum, *more) : std::nullopt;
    if (total)
      sum = *total;
    else
      known = 0;
  }

  // Groups of modules with the same operators and connections inside.
  void find_equal() {
    std::vector<std::uint64_t> hashes(tree_.size());
    std::vector<int> place(built_.flat.nodes.size());
    for (std::size_t i = tree_.size(); i-- > 0;) hashes[i] = hash(tree_[i], hashes, place);
    std::unordered_map<std::uint64_t, std::pair<int, int>> classes;  // number, groups
    for (std::size_t i = 1; i < tree_.size(); ++i) ++classes.emplace(hashes[i], std::pair(0, 0)).first->second.second;
    int next = 0;
    groups_.equal.push_back(-1);
    std::unordered_map<std::uint64_t, int> numbers;
    for (std::size_t i = 1; i < tree_.size(); ++i) {
      const bool alone = classes.at(hashes[i]).second < 2;
      if (!alone && !numbers.contains(hashes[i])) numbers.emplace(hashes[i], next++);
      groups_.equal.push_back(alone ? -1 : numbers.at(hashes[i]));
    }
  }

  // Of the operators in order, with the place of the producer of each input among the members.
  std::uint64_t hash(const Group& group, const std::vector<std::uint64_t>& hashes, std::vector<int>& place) const {
    Hash hash;
    hash.add(static_cast<std::uint64_t>(group.kind));
    hash.add(group.type);
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const Member& member = group.members[i];
      if (member.is_group) {
        hash.add(hashes[as_size(member.index)]);
        continue;
      }
      const FlatNode& node = built_.flat.nodes[as_size(member.index)];
      hash.add(node.source->op_type);
      place[as_size(member.index)] = static_cast<int>(i);
      for (const int value : node.inputs) hash.add(input_mark(value, group, place));
    }
    return hash.value();
  }

  std::uint64_t input_mark(int value, const Group& group, const std::vector<int>& place) const {
    if (value < 0) return 1;
    const FlatValue& from = built_.flat.values[as_size(value)];
    if (from.weight >= 0) return 2;
    if (from.producer < 0 || &tree_[as_size(built_.grouping.of_node[as_size(from.producer)])] != &group) return 3;
    return 4 + static_cast<std::uint64_t>(place[as_size(from.producer)]);
  }

  Built& built_;
  Document& document_;
  Groups& groups_;
  const std::vector<Group>& tree_;
};

}  // namespace

void add_groups(Built& built) { GroupTable(built).run(); }

void close_overlay(Overlay& overlay, const Built& built) {
  const std::vector<Group>& tree = built.grouping.groups;
  overlay.group_sum.assign(tree.size(), NAN);
  overlay.group_max.assign(tree.size(), NAN);
  overlay.least = overlay.most = NAN;
  for (std::size_t i = 0; i < overlay.node.size(); ++i) {
    const double number = overlay.node[i];
    if (std::isnan(number)) continue;
    overlay.least = std::fmin(overlay.least, number);
    overlay.most = std::fmax(overlay.most, number);
    const std::size_t group = as_size(built.grouping.of_node[i]);
    overlay.group_sum[group] = std::isnan(overlay.group_sum[group]) ? number : overlay.group_sum[group] + number;
    overlay.group_max[group] = std::fmax(overlay.group_max[group], number);
  }
  for (std::size_t i = tree.size(); i-- > 1;) {
    const std::size_t parent = as_size(tree[i].parent);
    if (std::isnan(overlay.group_sum[i])) continue;
    overlay.group_sum[parent] =
        std::isnan(overlay.group_sum[parent]) ? overlay.group_sum[i] : overlay.group_sum[parent] + overlay.group_sum[i];
    overlay.group_max[parent] = std::fmax(overlay.group_max[parent], overlay.group_max[i]);
  }
}

}  // namespace cameo::view
