#pragma once
// From models to what a view shows.

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "model/infer/typed.h"
#include "onnx/graph/graph.h"
#include "view/document/grouping.h"

namespace cameo::view {

struct ModelSource {
  const model::Opened* model = nullptr;
  // The origin of a node, for a model that was exported in memory; null, or a null result, if it is not known.
  std::function<const onnx::Origin*(const onnx::proto::Node&)> origin = {};
  std::map<std::string, std::string> classes = {};  // of modules, by path
  const model::Opened* older = nullptr;             // to compare with; null: there is no comparison
  // The simplification that removed or changed a node of the older model, by names of its results.
  std::map<std::string, std::string, std::less<>> rules = {};
};

struct BuildOptions {
  // Bytes of weights up to which statistics are computed, in the order of the model.
  std::uint64_t weights = 1'000'000'000;
};

// A document, and the nodes that its rows stand for. Refers to the model.
struct Built {
  Document document;
  FlatGraph flat;
  Grouping grouping;
  std::vector<const onnx::Origin*> origins;  // by node; null if not known
  std::shared_ptr<const model::Typed> typed, older;
};

// Titles, files, overlays other than those of the model itself, sources and comparison are left to the caller.
Built build(const ModelSource& source, const BuildOptions& options);

// Computes the columns of the overlay that follow from its nodes.
void close_overlay(Overlay& overlay, const Built& built);

}  // namespace cameo::view
