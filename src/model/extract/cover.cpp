#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "cameo/diagnostic.h"
#include "model/extract/endpoints.h"

namespace cameo::model {
namespace {

using onnx::proto::Graph;

std::string quoted(const ValueNames& values) {
  std::string text;
  for (const std::string_view value : values)
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", printable(value));
  return text;
}

[[noreturn]] void refuse(const std::string& file, Code code, std::string message, std::string advice,
                         const ValueNames& from) {
  throw Error(Diagnostic{.code = code,
                         .message = std::move(message),
                         .file = file,
                         .hint = fmt::format("{}: --from {}", advice, printable(join(from, ",")))});
}

ValueNames joined(ValueNames values, const ValueNames& more) {
  values.insert(values.end(), more.begin(), more.end());
  return values;
}

// Inputs of the graph that `to` is computed from, in spite of `from`.
ValueNames reached_inputs(const Graph& graph, const Links& links, const ValueNames& from,
                          const ValueNames& to) {
  const Cut part = cut(links, from, to);
  ValueNames reached;
  for (const onnx::proto::ValueInfo& input : graph.inputs)
    if (links.open_inputs.contains(input.name) && part.reads.contains(input.name) &&
        std::ranges::find(from, input.name) == from.end())
      reached.push_back(input.name);
  return reached;
}

// Values beside `from` that nodes below it read: they depend on the graph's inputs by paths that do not
// contain `from`.
ValueNames uncovered(const Graph& graph, const Links& links, const ValueNames& from, const ValueNames& to) {
  ValueNames inputs;
  for (const auto& [input, index] : links.open_inputs) inputs.push_back(input);
  const auto live = dependents(graph, links, inputs);
  const auto after = dependents(graph, links, from);
  const Cut part = cut(links, from, to);
  ValueNames found;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto depends = [&after](std::string_view value) { return after.contains(value); };
    if (!part.nodes[i] || !std::ranges::any_of(links.reads[i], depends)) continue;
    for (const std::string_view value : links.reads[i])
      if (!after.contains(value) && live.contains(value) && std::ranges::find(found, value) == found.end())
        found.push_back(value);
  }
  return found;
}

}  // namespace

void require_cover(const Graph& graph, const Links& links, const ValueNames& from, const ValueNames& to,
                   const std::string& file) {
  const auto after = dependents(graph, links, from);
  ValueNames apart = to;
  std::erase_if(apart, [&after](std::string_view value) { return after.contains(value); });
  if (!apart.empty())
    refuse(
        file, Code::independent_output,
        fmt::format("{} {} not depend on {}", quoted(apart), apart.size() == 1 ? "does" : "do", quoted(from)),
        "begin at what it is computed from", joined(from, reached_inputs(graph, links, from, apart)));
  if (!reached_inputs(graph, links, from, to).empty()) {
    const ValueNames missing = uncovered(graph, links, from, to);
    refuse(file, Code::missing_inputs,
           fmt::format("{} {} not enough to compute {}: {} {} needed too", quoted(from),
                       from.size() == 1 ? "is" : "are", quoted(to), quoted(missing),
                       missing.size() == 1 ? "is" : "are"),
           "cut there as well", joined(from, missing));
  }
  const Cut part = cut(links, from, to);
  ValueNames used, idle;
  for (const std::string_view value : from) (part.reads.contains(value) ? used : idle).push_back(value);
  if (!idle.empty())
    refuse(file, Code::unneeded_input,
           fmt::format("{} {} not needed to compute {}", quoted(idle), idle.size() == 1 ? "is" : "are",
                       quoted(to)),
           "leave it out", used);
}

}  // namespace cameo::model
