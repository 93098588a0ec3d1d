#include <algorithm>
#include <array>
#include <iterator>
#include <memory>

#include <fmt/core.h>

#include "cameo/model.h"
#include "model/extract/end_types.h"
#include "model/extract/endpoints.h"
#include "model/extract/prune.h"
#include "model/file/open.h"
#include "model/graph/value_infos.h"

namespace cameo {
namespace {

using model::ValueNames;
using onnx::proto::Graph;
using onnx::proto::ValueInfo;

bool changes(const ExtractOptions& options) {
  return !options.from.empty() || !options.to.empty() || !options.add_outputs.empty() || options.all_outputs;
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
    model::add_types(std::array{opened}, *state_);
    std::ranges::move(model::check_types(opened->graph(), path), std::back_inserter(warnings));
  }
  return {.model = Model(opened),
          .nodes = opened->graph().nodes.size(),
          .nodes_before = before,
          .warnings = std::move(warnings)};
}

}  // namespace cameo
