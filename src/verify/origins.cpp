#include "verify/origins.h"

#include <span>

#include "onnx/proto/read.h"

namespace cameo::verify {
namespace {

Origins read(const onnx::proto::Model& model) {
  Origins origins;
  if (!model.graph) return origins;
  for (const onnx::proto::Node& node : model.graph->nodes) {
    Origin origin;
    for (const onnx::proto::Entry& entry : node.metadata) {
      if (entry.key == "operator") origin.op = entry.value;
      if (entry.key == "module") origin.module_path = entry.value;
      if (entry.key == "python") origin.python = entry.value;
    }
    if (!origin.op.empty()) origins.emplace(node.name, std::move(origin));
  }
  return origins;
}

}  // namespace

Origins origins_of(const onnx::proto::Model& model, const std::string& program, ExportOptions options) {
  Origins own = read(model);
  if (!own.empty()) return own;
  for (const onnx::proto::OpsetImport& import : model.opset_imports)
    if (import.domain.empty() && import.version) options.opset = static_cast<int>(*import.version);
  options.metadata = Metadata::full;
  options.progress = nullptr;
  // With the simplifications and without: the model may have been exported either way.
  for (const std::int64_t rules : {std::int64_t{-1}, std::int64_t{0}}) {
    options.stop_rules_after = rules;
    try {
      const std::string again = export_to_memory(program, options).first;
      own.merge(read(onnx::proto::read(std::as_bytes(std::span(again)), program)));
    } catch (const Error&) {  // names alone then have to do
    }
  }
  return own;
}

}  // namespace cameo::verify
