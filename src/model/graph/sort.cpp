#include "model/graph/sort.h"

#include <unordered_map>

#include <fmt/core.h>

#include "base/text.h"
#include "cameo/model.h"
#include "model/graph/links.h"
#include "onnx/proto/visit.h"

namespace cameo {
namespace model {
namespace {

namespace proto = onnx::proto;

using Indices = std::vector<std::size_t>;

// For each node, the nodes that make what it and its subgraphs read.
std::vector<Indices> needs(const std::vector<proto::Node>& nodes) {
  std::unordered_map<std::string_view, std::size_t> makers;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const std::string_view output : nodes[i].outputs)
      if (!output.empty()) makers.emplace(output, i);
  std::vector<Indices> all(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const std::string_view name : reads(nodes[i]))
      if (const auto found = makers.find(name); found != makers.end()) all[i].push_back(found->second);
  return all;
}

// The first node that needs a later one.
std::optional<std::size_t> first_unsorted(const std::vector<Indices>& needed) {
  for (std::size_t i = 0; i < needed.size(); ++i)
    for (const std::size_t before : needed[i])
      if (before >= i) return i;
  return std::nullopt;
}

// The nodes by depth-first search from each node in the order of the file; nothing if there is a cycle.
std::optional<Indices> sorted(const std::vector<Indices>& needed) {
  enum class State : std::uint8_t { fresh, open, done };
  struct Visit {
    std::size_t node, next = 0;
  };
  std::vector<State> states(needed.size(), State::fresh);
  Indices order;
  std::vector<Visit> stack;
  for (std::size_t root = 0; root < needed.size(); ++root) {
    if (states[root] == State::done) continue;
    stack.push_back({root});
    while (!stack.empty()) {
      Visit& visit = stack.back();
      states[visit.node] = State::open;
      if (visit.next == needed[visit.node].size()) {
        states[visit.node] = State::done;
        order.push_back(visit.node);
        stack.pop_back();
        continue;
      }
      const std::size_t before = needed[visit.node][visit.next++];
      if (states[before] == State::open) return std::nullopt;
      if (states[before] == State::fresh) stack.push_back({before});
    }
  }
  return order;
}

// Sorts one list of nodes and those of their subgraphs. Returns a description of the first node that stood
// before a node that it needs.
std::optional<std::string> sort(std::vector<proto::Node>& nodes) {
  std::optional<std::string> moved;
  for (proto::Node& node : nodes)
    proto::each_subgraph(node, [&](proto::Graph& inner) {
      if (auto inside = sort(inner.nodes); inside && !moved) moved = std::move(inside);
    });
  const std::vector<Indices> needed = needs(nodes);
  const auto first = first_unsorted(needed);
  const auto order = first ? sorted(needed) : std::nullopt;
  if (!order) return moved;
  const proto::Node& early = nodes[*first];
  if (!moved)
    moved = early.name.empty() ? fmt::format("{} (node {})", printable(early.op_type), *first)
                               : fmt::format("{} '{}'", printable(early.op_type), printable(early.name));
  std::vector<proto::Node> result;
  for (const std::size_t i : *order) result.push_back(std::move(nodes[i]));
  nodes = std::move(result);
  return moved;
}

}  // namespace

std::optional<Diagnostic> sort_nodes(Opened& opened) {
  std::optional<std::string> moved = sort(opened.model.graph->nodes);
  for (proto::Function& function : opened.model.functions)
    if (auto inside = sort(function.nodes); inside && !moved) moved = std::move(inside);
  if (!moved) return std::nullopt;
  return Diagnostic{.severity = Severity::note,
                    .code = Code::not_sorted,
                    .message = fmt::format("{} stands before a node that it needs; the nodes are read in "
                                           "topological order",
                                           *moved),
                    .file = opened.file->name()};
}

}  // namespace model

std::shared_ptr<model::Opened> Model::sorted_copy(std::vector<Diagnostic>& notes) const {
  std::shared_ptr<model::Opened> opened = copy();
  if (std::optional<Diagnostic> note = model::sort_nodes(*opened)) notes.push_back(std::move(*note));
  return opened;
}

}  // namespace cameo
