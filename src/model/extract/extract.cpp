#include <algorithm>
#include <iterator>
#include <memory>

#include <fmt/core.h>

#include "base/text.h"
#include "cameo/model.h"
#include "model/extract/endpoints.h"
#include "model/extract/prune.h"
#include "model/file/open.h"
#include "model/graph/value_infos.h"
#include "model/infer/typed.h"

namespace cameo {
namespace {

using model::ValueNames;
using onnx::proto::Graph;
using onnx::proto::ValueInfo;

bool untyped(const ValueInfo& info) { return !info.type; }

bool changes(const ExtractOptions& options) {
  return !options.from.empty() || !options.to.empty() || !options.add_outputs.empty() || options.all_outputs;
}

// Adds the types of inputs and outputs that the model does not declare, where they can be inferred.
void add_types(model::Opened& opened, const model::Opened& whole) {
  Graph& graph = *opened.model.graph;
  if (std::ranges::none_of(graph.inputs, untyped) && std::ranges::none_of(graph.outputs, untyped)) return;
  const auto typed = std::make_shared<model::Typed>(whole);
  opened.kept.push_back(typed);
  const model::ValueInfos infos(typed->graph());
  for (std::vector<ValueInfo>* list : {&graph.inputs, &graph.outputs})
    for (ValueInfo& info : *list)
      if (untyped(info)) info.type = infos.describe(info.name).type;
}

Diagnostic unknown_type(const std::string& path, Severity severity, std::string_view what,
                        std::string_view value) {
  return Diagnostic{
      .severity = severity,
      .code = Code::unknown_type,
      .message = fmt::format("the type of the {} '{}' is neither declared nor known", what, printable(value)),
      .file = path,
      .hint = "add it to the model's value_info"};
}

// A runtime infers the types of outputs; inputs must declare theirs.
std::vector<Diagnostic> check_types(const Graph& graph, const std::string& path) {
  std::vector<Diagnostic> errors, warnings;
  for (const ValueInfo& input : graph.inputs)
    if (untyped(input)) errors.push_back(unknown_type(path, Severity::error, "new input", input.name));
  if (!errors.empty()) throw Error(std::move(errors));
  for (const ValueInfo& output : graph.outputs)
    if (untyped(output)) warnings.push_back(unknown_type(path, Severity::warning, "new output", output.name));
  return warnings;
}

ValueNames all_results(const Graph& graph) {
  ValueNames values;
  for (const onnx::proto::Node& node : graph.nodes)
    for (const std::string_view output : node.outputs)
      if (!output.empty()) values.push_back(output);
  return values;
}

ValueNames names_of(const std::vector<ValueInfo>& infos) {
  ValueNames names;
  for (const ValueInfo& info : infos) names.push_back(info.name);
  return names;
}

void take_part(onnx::proto::Model& model, const std::string& path, const ExtractOptions& options) {
  Graph& graph = *model.graph;
  const model::Links links(graph);
  const model::Endpoints ends(graph, links, path);
  const ValueNames from = ends.starts(options.from), more = ends.ends(options.add_outputs);
  if (!options.from.empty() || !options.to.empty()) {
    ValueNames to = options.to.empty() ? names_of(graph.outputs) : ends.ends(options.to);
    for (const std::string_view value : more)
      if (std::ranges::find(to, value) == to.end()) to.push_back(value);
    if (!from.empty()) model::require_cover(graph, links, from, to, path);
    prune(model, model::cut(links, from, to), from, to);
  }
  model::add_outputs(graph, options.all_outputs ? all_results(graph) : more);
}

}  // namespace

Extracted Model::extract(const ExtractOptions& options) const {
  std::vector<Diagnostic> warnings;
  const std::shared_ptr<model::Opened> opened = sorted_copy(warnings);
  const std::string& path = opened->file->name();
  const std::size_t before = opened->graph().nodes.size();
  take_part(opened->model, path, options);
  if (changes(options)) {
    add_types(*opened, *state_);
    std::ranges::move(check_types(opened->graph(), path), std::back_inserter(warnings));
  }
  return {.model = Model(opened),
          .nodes = opened->graph().nodes.size(),
          .nodes_before = before,
          .warnings = std::move(warnings)};
}

}  // namespace cameo
