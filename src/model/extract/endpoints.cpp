#include "model/extract/endpoints.h"

#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "base/nearest.h"
#include "base/text.h"
#include "cameo/diagnostic.h"
#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about

bool makes(const Graph& graph, std::string_view value) {
  bool found = false;
  each_node(graph.nodes, [&](const Node& node) {
    found = found || std::ranges::find(node.outputs, value) != node.outputs.end();
  });
  return found;
}

std::string closest(const Graph& graph, const Links& links, std::string_view name) {
  std::vector<std::string> known;
  for (const auto* values : {&links.maker, &links.constants, &links.open_inputs})
    for (const auto& [value, index] : *values) known.emplace_back(value);
  for (const Node& node : graph.nodes) known.emplace_back(node.name);
  std::ranges::sort(known);
  return nearest(name, known);
}

Diagnostic unknown_name(const Graph& graph, const Links& links, std::string_view name,
                        const std::string& file) {
  Diagnostic diagnostic{.code = Code::unknown_value, .message = {}, .file = file};
  if (makes(graph, name)) {
    diagnostic.message =
        fmt::format("'{}' is a value within a subgraph, which only that can see", printable(name));
    diagnostic.hint = "name a result of the node that holds the subgraph";
    return diagnostic;
  }
  diagnostic.message = fmt::format("the model has no value and no node '{}'", printable(name));
  const std::string meant = closest(graph, links, name);
  diagnostic.hint = meant.empty() ? fmt::format("see the names: cameo print {}", file)
                                  : fmt::format("did you mean '{}'?", printable(meant));
  return diagnostic;
}

// The key of an entry points into the graph, as the name it was found by may not.
template <class Map>
std::optional<std::string_view> key(const Map& map, std::string_view name) {
  const auto found = map.find(name);
  return found == map.end() ? std::nullopt : std::optional(found->first);
}

}  // namespace

template <class OfNode>
ValueNames Endpoints::resolve(const std::vector<std::string>& names, OfNode of_node) const {
  ValueNames values;
  std::unordered_set<std::string_view> seen;
  const auto add = [&](std::string_view value) {
    if (!value.empty() && seen.insert(value).second) values.push_back(value);
  };
  std::vector<Diagnostic> unknown;
  for (const std::string& name : names) {
    auto value = key(links_.maker, name);
    if (!value) value = key(links_.open_inputs, name);
    if (!value) value = key(links_.constants, name);
    if (value) {
      add(*value);
      continue;
    }
    bool found = false;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (name.empty() || graph_.nodes[i].name != name) continue;
      found = true;
      for (const std::string_view each : of_node(i)) add(each);
    }
    if (!found) unknown.push_back(unknown_name(graph_, links_, name, file_));
  }
  if (!unknown.empty()) throw Error(std::move(unknown));
  return values;
}

ValueNames Endpoints::starts(const std::vector<std::string>& names) const {
  ValueNames inputs;
  for (const auto& [input, index] : links_.open_inputs) inputs.push_back(input);
  const auto live = dependents(graph_, links_, inputs);
  return resolve(names, [&](std::size_t node) {
    ValueNames values = links_.reads[node];
    std::erase_if(values, [&live](std::string_view value) { return !live.contains(value); });
    return values;
  });
}

ValueNames Endpoints::ends(const std::vector<std::string>& names) const {
  return resolve(names, [this](std::size_t node) -> const ValueNames& { return graph_.nodes[node].outputs; });
}

}  // namespace cameo::model
