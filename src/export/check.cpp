#include "export/check.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "model/infer/model_types.h"
#include "onnx/check/check.h"
#include "onnx/graph/visit.h"

namespace cameo {
namespace {

using Origins = std::unordered_map<std::string_view, const onnx::Origin*>;

Origins collect_origins(const onnx::Graph& graph) {
  Origins origins;
  onnx::each_node(graph, [&](const onnx::Node& node) {
    if (node.origin) origins.emplace(node.name, node.origin);
  });
  return origins;
}

void add_origin(Diagnostic& diagnostic, const onnx::Origin& origin) {
  diagnostic.module_path = origin.module_path;
  onnx::Places places = origin.places();
  diagnostic.script = std::move(places.script);
  diagnostic.python = std::move(places.python);
  if (!origin.op.empty()) diagnostic.notes.push_back("converted from " + origin.op);
}

// Contradictions between the types and shapes of values.
std::vector<onnx::Fault> contradictions(const onnx::proto::Model& messages) {
  model::Opened opened(MappedFile::wrap({}, "model"));
  opened.model = messages;
  model::ModelTypes types(opened, true);
  types.run();
  return types.take_faults();
}

std::vector<onnx::Fault> all_faults(const onnx::proto::Model& messages) {
  std::vector<onnx::Fault> faults = onnx::check(messages);
  const bool valid = std::ranges::none_of(faults, [](const onnx::Fault& fault) {
    return fault.diagnostic.severity == Severity::error && !fault.runs;
  });
  if (valid) std::ranges::move(contradictions(messages), std::back_inserter(faults));
  return faults;
}

}  // namespace

std::vector<Diagnostic> check_exported(const onnx::proto::Model& messages, const onnx::Model& model) {
  std::vector<Diagnostic> errors;
  std::vector<Diagnostic> warnings;
  Origins origins;
  for (onnx::Fault& fault : all_faults(messages)) {
    Diagnostic& diagnostic = fault.diagnostic;
    if (fault.runs) {
      diagnostic.severity = Severity::warning;
      diagnostic.hint = "its rank is not known; ONNX Runtime takes that, the official checker does not";
      warnings.push_back(std::move(diagnostic));
      continue;
    }
    if (diagnostic.severity != Severity::error) continue;
    if (errors.empty()) origins = collect_origins(model.main());
    const auto origin = origins.find(fault.node);
    if (origin != origins.end()) add_origin(diagnostic, *origin->second);
    if (diagnostic.hint.empty())
      diagnostic.hint = "the exported model is not valid ONNX; --no-check writes it all the same";
    errors.push_back(std::move(diagnostic));
  }
  if (!errors.empty()) throw Error(std::move(errors));
  return warnings;
}

}  // namespace cameo
