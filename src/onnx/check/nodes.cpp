#include <unordered_set>

#include <fmt/core.h>

#include "onnx/check/context.h"

namespace cameo::onnx {
namespace {

std::unordered_set<std::string_view> results(const std::vector<proto::Node>& nodes) {
  std::unordered_set<std::string_view> names;
  for (const proto::Node& node : nodes) names.insert(node.outputs.begin(), node.outputs.end());
  return names;
}

}  // namespace

void check_nodes(const Context& context, const std::vector<proto::Node>& nodes, Scope& scope,
                 const Declared& declared) {
  const auto made_here = results(nodes);
  Report& report = context.report;
  for (std::size_t index = 0; index < nodes.size(); ++index) {
    const proto::Node& node = nodes[index];
    const Report::At at(report, node, index);
    for (const std::string_view input : node.inputs) {
      if (input.empty() || scope.visible(input)) continue;
      if (made_here.contains(input))
        report.error(Code::not_sorted, fmt::format("it uses '{}' before it is made", input),
                     "nodes must be in topological order");
      else
        report.error(Code::unknown_value, fmt::format("it uses '{}', which nothing makes", input));
    }
    const auto types = check_node(context, node, scope);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const std::string_view output = node.outputs[i];
      if (output.empty()) continue;
      if (scope.visible(output))
        report.error(Code::duplicate_value, fmt::format("its output '{}' has a name that is taken", output),
                     "every value has one name and is made once, outer graphs included");
      auto type = i < types.size() ? types[i] : std::nullopt;
      const auto found = declared.find(output);
      if (found != declared.end() && type && *type != found->second)
        report.error(Code::declared_type, fmt::format("its output '{}' is declared {}, and is {}", output,
                                                      to_string(found->second), to_string(*type)));
      if (found != declared.end()) type = found->second;
      scope.add(output, type);
    }
  }
}

}  // namespace cameo::onnx
