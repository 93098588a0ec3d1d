#include "view/document/build.h"

#include <cmath>
#include <optional>

#include "base/index.h"
#include "view/document/arrange.h"
#include "view/document/captions.h"
#include "view/document/compare.h"
#include "view/document/tables.h"

namespace cameo::view {
namespace {

// The place of each node, with the classes of its modules.
std::vector<Place> find_places(const Built& built, const ModelSource& source) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < built.flat.nodes.size(); ++i) {
    const onnx::Origin* origin = built.origins[i];
    const bool known = origin && !origin->module_path.empty();
    places.push_back(known ? place_of_module(origin->module_path) : place_of(*built.flat.nodes[i].source));
    for (Step& step : places.back().steps)
      if (const auto found = source.classes.find(step.path);
          step.type.empty() && found != source.classes.end())
        step.type = found->second;
  }
  return places;
}

void add_weight_overlay(Built& built) {
  Overlay overlay{.id = "bytes",
                  .name = "bytes of weights",
                  .unit = "B",
                  .scale = "log",
                  .good = "neither",
                  .combine = "sum"};
  for (const FlatNode& node : built.flat.nodes) {
    std::int64_t bytes = 0;
    for (const int value : node.inputs)
      if (value >= 0)
        if (const int weight = element_at(built.flat.values, value).weight; weight >= 0)
          bytes += element_at(built.document.weights.bytes, weight);
    overlay.node.push_back(bytes > 0 ? static_cast<double>(bytes) : NAN);
    overlay.node_text.push_back(0);
  }
  close_overlay(overlay, built);
  built.document.overlays.push_back(std::move(overlay));
}

void add_facts(Document& document, const onnx::proto::Model& model) {
  document.producer = shown(model.producer_name);
  if (!model.producer_version.empty()) document.producer += " " + shown(model.producer_version);
  for (const onnx::proto::OpsetImport& import : model.opset_imports)
    document.facts.push_back({"opset", (import.domain.empty() ? "ai.onnx" : shown(import.domain)) + " " +
                                           std::to_string(import.version.value_or(0))});
  if (model.ir_version) document.facts.push_back({"IR version", std::to_string(*model.ir_version)});
  if (!model.doc_string.empty()) document.facts.push_back({"doc", shown(model.doc_string)});
  for (const onnx::proto::Entry& entry : model.metadata)
    document.facts.push_back({shown(entry.key), shown(entry.value)});
}

}  // namespace

Built build(const ModelSource& source, const BuildOptions& options) {
  Built built;
  built.typed = std::make_shared<const model::Typed>(*source.model);
  const model::Opened& opened = built.typed->opened();
  built.flat = flatten(opened.model);
  std::optional<Marks> marks;
  if (source.older) {
    built.older = std::make_shared<const model::Typed>(*source.older);
    marks = merge(built.flat, opened, flatten(built.older->opened().model), built.older->opened());
  }
  for (const FlatNode& node : built.flat.nodes)
    built.origins.push_back(source.origin ? source.origin(*node.source) : nullptr);
  const std::vector<Place> places = find_places(built, source);
  built.grouping = make_groups(built.flat, places);
  built.document.categories = category_names();
  add_nodes(built, places);
  add_values(built);
  add_weights(built, options);
  add_groups(built);
  add_weight_overlay(built);
  add_facts(built.document, opened.model);
  if (marks) add_comparison(built, *marks, source.rules);
  arrange(built.document, built.flat, built.grouping, make_flows(built.flat, built.grouping));
  return built;
}

}  // namespace cameo::view
