#include "export/check.h"

#include <unordered_map>

#include "onnx/check/check.h"
#include "onnx/proto/read.h"
#include "write/proto.h"

namespace cameo {
namespace {

using Origins = std::unordered_map<std::string_view, const onnx::Origin*>;

void collect(const onnx::Graph& graph, Origins& origins) {
  for (const onnx::Node* node : graph.nodes) {
    if (node->origin) origins.emplace(node->name, node->origin);
    for (const onnx::Attribute& attribute : node->attributes)
      if (const auto* inner = std::get_if<onnx::Graph*>(&attribute.value)) collect(**inner, origins);
  }
}

void add_origin(Diagnostic& diagnostic, const onnx::Origin& origin) {
  diagnostic.module_path = origin.module_path;
  diagnostic.script = origin.script;
  diagnostic.python = origin.python;
  if (!origin.op.empty()) diagnostic.notes.push_back("converted from " + origin.op);
}

}  // namespace

void check_exported(const onnx::Model& model) {
  const std::string bytes = encode_without_weights(model, {});
  const onnx::proto::Model written = onnx::proto::read(std::as_bytes(std::span(bytes)), "the exported model");
  std::vector<Diagnostic> errors;
  Origins origins;
  for (onnx::Fault& fault : onnx::check(written, {.weights = false})) {
    if (fault.diagnostic.severity != Severity::error) continue;
    if (errors.empty()) collect(model.main(), origins);
    const auto origin = origins.find(fault.node);
    if (origin != origins.end()) add_origin(fault.diagnostic, *origin->second);
    if (fault.diagnostic.hint.empty())
      fault.diagnostic.hint = "the exported model is not valid ONNX; --no-check writes it all the same";
    errors.push_back(std::move(fault.diagnostic));
  }
  if (!errors.empty()) throw Error(std::move(errors));
}

}  // namespace cameo
