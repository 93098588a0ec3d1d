#include "view/document/ports.h"

#include <cstdint>
#include <unordered_map>

#include "base/index.h"

namespace cameo::view {
namespace {

std::uint64_t pair_of(int a, int b) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32U | static_cast<std::uint32_t>(b);
}

class Router {
 public:
  Router(const FlatGraph& graph, const Grouping& grouping)
      : graph_(graph),
        grouping_(grouping),
        flows_(grouping.groups.size()),
        edges_(grouping.groups.size()),
        inputs_(grouping.groups.size()),
        outputs_(grouping.groups.size()),
        item_of_node_(graph.nodes.size(), -1),
        item_of_group_(grouping.groups.size(), -1),
        chain_(grouping.groups.size(), -1),
        readers_(graph.values.size()) {}

  std::vector<Flow> run() {
    members();
    find_readers();
    for (std::size_t value = 0; value < graph_.values.size(); ++value)
      if (graph_.values[value].kind != ValueKind::constant) route(static_cast<int>(value));
    return std::move(flows_);
  }

 private:
  struct End {
    int group = -1, item = -1, port = -1;
  };

  Flow& flow(int group) { return flows_[as_size(group)]; }
  int parent(int group) const { return grouping_.groups[as_size(group)].parent; }

  void members() {
    for (std::size_t group = 0; group < grouping_.groups.size(); ++group)
      for (const Member& member : grouping_.groups[group].members) {
        (member.is_group ? item_of_group_ : item_of_node_)[as_size(member.index)] =
            static_cast<int>(flows_[group].items.size());
        flows_[group].items.push_back({member.is_group ? ItemKind::group : ItemKind::node, member.index});
      }
    for (std::size_t body = 0; body < graph_.bodies.size(); ++body)
      for (const int value : graph_.bodies[body].inputs) input(grouping_.of_body[body], value);
  }

  int add_item(int group, ItemKind kind, int value) {
    flow(group).items.push_back({kind, value});
    return static_cast<int>(flow(group).items.size()) - 1;
  }
  // The port of a value, and whether it is new.
  std::pair<int, bool> input(int group, int value) {
    const auto [found, added] = inputs_[as_size(group)].emplace(value, 0);
    if (added) found->second = add_item(group, ItemKind::input, value);
    return {found->second, added};
  }
  std::pair<int, bool> output(int group, int value) {
    const auto [found, added] = outputs_[as_size(group)].emplace(value, 0);
    if (added) found->second = add_item(group, ItemKind::output, value);
    return {found->second, added};
  }

  void connect(int group, int from, int to, Line line) {
    Flow& flow = this->flow(group);
    const auto [found, added] = edges_[as_size(group)].emplace(pair_of(from, to), flow.edges.size());
    if (added) flow.edges.push_back({.from = from, .to = to, .lines = {}});
    std::vector<Line>& lines = flow.edges[found->second].lines;
    // Equal lines follow each other, because each value is routed by itself.
    if (!lines.empty() && lines.back().value == line.value && lines.back().to_port == line.to_port) return;
    lines.push_back(line);
  }

  // Ends of lines: readers in the place where they stand.
  void find_readers() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const FlatNode& node = graph_.nodes[i];
      const int control = grouping_.control[i];
      for (const std::vector<int>* inputs : {&node.inputs, &node.older_inputs})
        for (const int value : *inputs) {
          if (value < 0) continue;
          if (control < 0)
            readers_[as_size(value)].push_back({grouping_.of_node[i], item_of_node_[i], -1});
          else
            enter(static_cast<int>(i), control, value);
        }
    }
    for (std::size_t i = 0; i < graph_.bodies.size(); ++i) {
      const int group = grouping_.of_body[i];
      for (const int value : graph_.bodies[i].outputs)
        if (value >= 0) readers_[as_size(value)].push_back({group, output(group, value).first, -1});
    }
  }

  // An input of a node with bodies goes to the bodies that get it as an input; if there is none, to all, because
  // it decides about them.
  void enter(int node, int control, int value) {
    bool given = false;
    for (const int body : graph_.nodes[as_size(node)].bodies)
      for (const Passed& each : graph_.bodies[as_size(body)].given)
        if (each.outer == value) {
          const int group = grouping_.of_body[as_size(body)];
          readers_[as_size(value)].push_back({control, item_of_group_[as_size(group)], input(group, each.inner).first});
          given = true;
        }
    if (given) return;
    for (const int body : graph_.nodes[as_size(node)].bodies)
      readers_[as_size(value)].push_back({control, item_of_group_[as_size(grouping_.of_body[as_size(body)])], -1});
  }

  // Where a value comes from, in the group in which it stands.
  End home(int value) {
    const FlatValue& made = graph_.values[as_size(value)];
    if (made.producer < 0) {
      const int group = grouping_.of_body[as_size(made.body)];
      return {group, input(group, value).first, -1};
    }
    const int control = grouping_.control[as_size(made.producer)], group = grouping_.of_node[as_size(made.producer)];
    if (control < 0) return {group, item_of_node_[as_size(made.producer)], -1};
    leave(made.producer, control, value);
    return {group, item_of_group_[as_size(control)], output(control, value).first};
  }

  // Inside of the node that makes it, a value comes from the bodies.
  void leave(int node, int control, int value) {
    for (const int body : graph_.nodes[as_size(node)].bodies)
      for (const Passed& each : graph_.bodies[as_size(body)].taken)
        if (each.outer == value) {
          const int group = grouping_.of_body[as_size(body)];
          connect(control, item_of_group_[as_size(group)], output(control, value).first,
                  {value, output(group, each.inner).first, -1});
        }
  }

  void route(int value) {
    if (readers_[as_size(value)].empty() && graph_.values[as_size(value)].producer >= 0) {
      const int producer = graph_.values[as_size(value)].producer;
      if (grouping_.control[as_size(producer)] >= 0) home(value);
      return;
    }
    const End from = home(value);
    for (int group = from.group; group >= 0; group = parent(group)) chain_[as_size(group)] = value;
    for (const End& reader : readers_[as_size(value)]) climb(value, from, reader);
  }

  // From a reader up to the first group that also holds the producer.
  void climb(int value, const End& from, End to) {
    while (chain_[as_size(to.group)] != value) {
      const auto [port, added] = input(to.group, value);
      connect(to.group, port, to.item, {value, -1, to.port});
      if (!added) return;
      to = {parent(to.group), item_of_group_[as_size(to.group)], port};
    }
    const End source = descend(value, from, to.group);
    if (source.item != to.item) connect(to.group, source.item, to.item, {value, source.port, to.port});
  }

  // The item of `group` from which the value comes, with ports on the way up to it.
  End descend(int value, const End& from, int group) {
    End now = from;
    while (now.group != group) {
      const auto [port, added] = output(now.group, value);
      if (added) connect(now.group, now.item, port, {value, now.port, -1});
      now = {parent(now.group), item_of_group_[as_size(now.group)], port};
    }
    return now;
  }

  const FlatGraph& graph_;
  const Grouping& grouping_;
  std::vector<Flow> flows_;
  std::vector<std::unordered_map<std::uint64_t, std::size_t>> edges_;  // by group and ends
  std::vector<std::unordered_map<int, int>> inputs_, outputs_;         // by group and value
  std::vector<int> item_of_node_, item_of_group_;
  std::vector<int> chain_;  // the last value whose producer a group holds
  std::vector<std::vector<End>> readers_;
};

}  // namespace

std::vector<Flow> make_flows(const FlatGraph& graph, const Grouping& grouping) {
  return Router(graph, grouping).run();
}

}  // namespace cameo::view
