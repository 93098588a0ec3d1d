#include "view/document/grouping.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/core.h>

#include "base/index.h"
#include "view/document/cycles.h"

namespace cameo::view {
namespace {

constexpr std::size_t kShortestPart = 40, kWantedPart = 100, kLongestPart = 160;

// For each node, the nodes of the same body that it or its bodies read.
std::vector<std::vector<int>> find_reads(const FlatGraph& graph) {
  std::vector<std::vector<int>> reads(graph.nodes.size());
  const auto add = [&](int value, int body, int reader) {
    if (value < 0) return;
    const FlatValue& read = graph.values[as_size(value)];
    if (read.producer < 0) return;
    while (body != read.body && body > 0) {
      reader = graph.bodies[as_size(body)].node;
      body = graph.nodes[as_size(reader)].body;
    }
    if (body != read.body || reader < 0 || reader == read.producer) return;
    std::vector<int>& list = reads[as_size(reader)];
    if (list.empty() || list.back() != read.producer) list.push_back(read.producer);
  };
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const FlatNode& node = graph.nodes[i];
    for (const std::vector<int>* inputs : {&node.inputs, &node.older_inputs})
      for (const int value : *inputs) add(value, node.body, static_cast<int>(i));
  }
  for (std::size_t i = 1; i < graph.bodies.size(); ++i)
    for (const int value : graph.bodies[i].outputs) add(value, static_cast<int>(i), -1);
  return reads;
}

// A future member: a node, or a module's nodes.
struct Pending {
  const Step* step = nullptr;  // null for a single node
  std::vector<int> nodes;
  int part = 0;  // of a divided module, from 0
};

class Grouper {
 public:
  Grouper(const FlatGraph& graph, const std::vector<Place>& places)
      : graph_(graph), places_(places), reads_(find_reads(graph)), row_(graph.nodes.size(), -1) {
    made_.of_node.resize(graph.nodes.size(), -1);
    made_.control.resize(graph.nodes.size(), -1);
    made_.of_body.resize(graph.bodies.size(), -1);
  }

  Grouping run() {
    const int root = add({.kind = GroupKind::root});
    if (!graph_.bodies.empty()) fill_body(root, 0, 0);
    return std::move(made_);
  }

 private:
  Group& group(int index) { return made_.groups[as_size(index)]; }
  int add(Group group) {
    made_.groups.push_back(std::move(group));
    return static_cast<int>(made_.groups.size()) - 1;
  }

  void fill_body(int index, int body, std::size_t depth) {
    made_.of_body[as_size(body)] = index;
    fill(index, divide(graph_.bodies[as_size(body)].nodes, depth), depth);
  }

  void fill(int index, std::vector<Pending> members, std::size_t depth) {
    if (members.size() > kMostMembers) return cut(index, members, depth);
    for (Pending& member : members) {
      if (member.step)
        module(index, std::move(member), depth);
      else
        node(index, member.nodes.front(), depth);
    }
  }

  void module(int parent, Pending member, std::size_t depth) {
    const Place& place = places_[as_size(member.nodes.front())];
    std::string mark = member.part == 0 ? "" : fmt::format("#{}", member.part + 1);
    const int made = add({.kind = place.module ? GroupKind::module : GroupKind::scope,
                          .parent = parent,
                          .body = group(parent).body,
                          .path = member.step->path + mark,
                          .name = member.step->name + mark,
                          .type = member.step->type});
    group(parent).members.push_back({.is_group = true, .index = made});
    fill(made, divide(member.nodes, depth + 1), depth + 1);
  }

  void node(int parent, int index, std::size_t depth) {
    made_.of_node[as_size(index)] = parent;
    const FlatNode& node = graph_.nodes[as_size(index)];
    if (node.bodies.empty()) {
      group(parent).members.push_back({.is_group = false, .index = index});
      return;
    }
    const std::string path = group(parent).path, type = shown(node.source->op_type);
    const std::string own = node.source->name.empty() ? type : shown(node.source->name);
    const int control = add({.kind = GroupKind::control,
                             .parent = parent,
                             .node = index,
                             .body = node.body,
                             .path = path,
                             .name = own.substr(own.rfind('/') + 1),
                             .type = type});
    group(parent).members.push_back({.is_group = true, .index = control});
    made_.control[as_size(index)] = control;
    for (const int body : node.bodies) {
      const int made = add({.kind = GroupKind::body,
                            .parent = control,
                            .node = index,
                            .body = body,
                            .path = path,
                            .name = shown(graph_.bodies[as_size(body)].name)});
      group(control).members.push_back({.is_group = true, .index = made});
      fill_body(made, body, common(places_[as_size(index)], body, depth));
    }
  }

  // The steps that all nodes of a body share with the node that holds it.
  std::size_t common(const Place& holder, int body, std::size_t depth) const {
    std::size_t shared = std::max(depth, holder.steps.size());
    for (const int node : graph_.bodies[as_size(body)].nodes) {
      const std::vector<Step>& steps = places_[as_size(node)].steps;
      shared = std::min({shared, steps.size(), holder.steps.size()});
      while (shared > 0 && steps[shared - 1].path != holder.steps[shared - 1].path) --shared;
    }
    return shared;
  }

  // The members that nodes make, by their steps at `depth`, in the order of their first nodes.
  std::vector<Pending> divide(const std::vector<int>& nodes, std::size_t depth) {
    std::vector<Pending> members;
    std::unordered_map<std::string_view, std::size_t> known;
    for (const int node : nodes) {
      const std::vector<Step>& steps = places_[as_size(node)].steps;
      std::size_t member = members.size();
      if (depth < steps.size()) member = known.emplace(steps[depth].path, member).first->second;
      if (member == members.size()) members.push_back({.step = depth < steps.size() ? &steps[depth] : nullptr});
      members[member].nodes.push_back(node);
    }
    members = without_cycles(std::move(members));
    number_parts(members);
    return members;
  }

  // Divides modules that are in a cycle into runs of nodes in the order of the file.
  std::vector<Pending> without_cycles(std::vector<Pending> members) {
    const std::vector<int> component = components(members);
    std::vector<std::size_t> sizes(members.size());
    for (const int each : component) ++sizes[as_size(each)];
    if (std::ranges::all_of(sizes, [](std::size_t size) { return size <= 1; })) return members;
    std::vector<Pending> made;
    std::vector<std::pair<int, std::size_t>> tangled;  // node, member
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (sizes[as_size(component[i])] <= 1)
        made.push_back(std::move(members[i]));
      else
        for (const int node : members[i].nodes) tangled.emplace_back(node, i);
    }
    std::ranges::sort(tangled);
    std::vector<std::size_t> last(members.size(), members.size());  // by component: the member of its last node
    std::vector<std::size_t> open(members.size());                  // by component: where that is in `made`
    for (const auto& [node, member] : tangled) {
      const std::size_t in = as_size(component[member]);
      if (last[in] != member || !members[member].step) {
        open[in] = made.size();
        made.push_back({.step = members[member].step});
      }
      last[in] = member;
      made[open[in]].nodes.push_back(node);
    }
    std::ranges::sort(made, {}, [](const Pending& each) { return each.nodes.front(); });
    return made;
  }

  std::vector<int> components(const std::vector<Pending>& members) {
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const int node : members[i].nodes) row_[as_size(node)] = static_cast<int>(i);
    std::vector<std::vector<int>> before(members.size());
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const int node : members[i].nodes)
        for (const int read : reads_[as_size(node)])
          if (row_[as_size(read)] >= 0 && row_[as_size(read)] != static_cast<int>(i)) before[i].push_back(row_[as_size(read)]);
    for (const Pending& member : members)
      for (const int node : member.nodes) row_[as_size(node)] = -1;
    return strong_components(before);
  }

  // A module with one node is only that node.
  static void number_parts(std::vector<Pending>& members) {
    std::unordered_map<const Step*, int> parts;
    for (Pending& member : members) {
      if (member.nodes.size() == 1) member.step = nullptr;
      if (member.step) member.part = parts[member.step]++;
    }
  }

  // ---- parts of long rows

  void cut(int index, std::vector<Pending>& members, std::size_t depth) {
    const std::vector<std::size_t> crossing = crossings(members);
    const Group whole = group(index);
    // Very long rows become parts that are cut again.
    const std::size_t scale = 1 + members.size() / (kWantedPart * kWantedPart);
    for (std::size_t begin = 0; begin < members.size();) {
      const std::size_t end = narrowest(crossing, begin, scale);
      const int part = add({.kind = GroupKind::part,
                            .parent = index,
                            .body = whole.body,
                            .path = whole.path,
                            .name = part_name(members, begin, end)});
      group(index).members.push_back({.is_group = true, .index = part});
      fill(part, {std::move_iterator(members.begin() + static_cast<std::ptrdiff_t>(begin)),
                  std::move_iterator(members.begin() + static_cast<std::ptrdiff_t>(end))},
           depth);
      begin = end;
    }
  }

  static std::string part_name(const std::vector<Pending>& members, std::size_t begin, std::size_t end) {
    const Pending &first = members[begin], &last = members[end - 1];
    if (first.step && last.step) return fmt::format("{} … {}", first.step->name, last.step->name);
    return fmt::format("{}–{} of {}", begin + 1, end, members.size());
  }

  // How many nodes before each place are read behind it.
  std::vector<std::size_t> crossings(const std::vector<Pending>& members) {
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const int node : members[i].nodes) row_[as_size(node)] = static_cast<int>(i);
    std::unordered_map<int, std::size_t> last;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const int node : members[i].nodes)
        for (const int read : reads_[as_size(node)])
          if (row_[as_size(read)] >= 0 && as_size(row_[as_size(read)]) < i) last[read] = std::max(last[read], i);
    std::vector<std::ptrdiff_t> change(members.size() + 1);
    for (const auto& [node, reader] : last) {
      ++change[as_size(row_[as_size(node)]) + 1];
      --change[reader + 1];
    }
    for (const Pending& member : members)
      for (const int node : member.nodes) row_[as_size(node)] = -1;
    std::vector<std::size_t> crossing(members.size() + 1);
    std::ptrdiff_t now = 0;
    for (std::size_t i = 0; i <= members.size(); ++i) {
      now += change[i];
      crossing[i] = static_cast<std::size_t>(now);
    }
    return crossing;
  }

  static std::size_t narrowest(const std::vector<std::size_t>& crossing, std::size_t begin, std::size_t scale) {
    const std::size_t end = crossing.size() - 1;
    if (end - begin <= kLongestPart * scale) return end;
    std::size_t best = begin + kShortestPart * scale;
    const auto far = [&](std::size_t place) {
      const std::size_t length = place - begin, wanted = kWantedPart * scale;
      return std::max(length, wanted) - std::min(length, wanted);
    };
    for (std::size_t place = best; place <= begin + kLongestPart * scale; ++place)
      if (std::pair(crossing[place], far(place)) < std::pair(crossing[best], far(best))) best = place;
    return best;
  }

  const FlatGraph& graph_;
  const std::vector<Place>& places_;
  std::vector<std::vector<int>> reads_;
  std::vector<int> row_;  // by node, while members are examined: its member
  Grouping made_;
};

}  // namespace

Grouping make_groups(const FlatGraph& graph, const std::vector<Place>& places) { return Grouper(graph, places).run(); }

}  // namespace cameo::view
