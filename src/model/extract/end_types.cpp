#include "model/extract/end_types.h"

#include <algorithm>
#include <memory>

#include <fmt/core.h>

#include "base/text.h"
#include "model/graph/value_infos.h"
#include "model/infer/typed.h"

namespace cameo::model {
namespace {

using onnx::proto::Graph;
using onnx::proto::ValueInfo;

bool untyped(const ValueInfo& info) { return !info.type; }

Diagnostic unknown_type(const std::string& path, Severity severity, std::string_view what,
                        std::string_view value) {
  return Diagnostic{
      .severity = severity,
      .code = Code::unknown_type,
      .message = fmt::format("the type of the {} '{}' is neither declared nor known", what, printable(value)),
      .file = path,
      .hint = "add it to the model's value_info"};
}

}  // namespace

void add_types(std::span<const std::shared_ptr<Opened>> parts, const Opened& whole) {
  std::shared_ptr<const Typed> typed;  // made for the first part that needs it
  for (const std::shared_ptr<Opened>& part : parts) {
    Graph& graph = *part->model.graph;
    if (std::ranges::none_of(graph.inputs, untyped) && std::ranges::none_of(graph.outputs, untyped)) continue;
    if (!typed) typed = std::make_shared<Typed>(whole);
    part->kept.push_back(typed);
    const ValueInfos infos(typed->graph());
    for (std::vector<ValueInfo>* list : {&graph.inputs, &graph.outputs})
      for (ValueInfo& info : *list)
        if (untyped(info)) info.type = infos.describe(info.name).type;
  }
}

std::vector<Diagnostic> check_types(const Graph& graph, const std::string& path) {
  std::vector<Diagnostic> errors, warnings;
  for (const ValueInfo& input : graph.inputs)
    if (untyped(input)) errors.push_back(unknown_type(path, Severity::error, "new input", input.name));
  if (!errors.empty()) throw Error(std::move(errors));
  for (const ValueInfo& output : graph.outputs)
    if (untyped(output)) warnings.push_back(unknown_type(path, Severity::warning, "new output", output.name));
  return warnings;
}

}  // namespace cameo::model
