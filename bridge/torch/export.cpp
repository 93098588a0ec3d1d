#include <iterator>
#include <sstream>

#include "cameo/torch.h"
#include "specs.h"
#include "traced.h"

namespace cameo::torch {
namespace {

ExportOptions with_inputs(ExportOptions options, const Inputs& inputs) {
  if (options.inputs.empty()) options.inputs = parse_inputs(specs_of(inputs));
  return options;
}

std::string saved(const ::torch::jit::Module& module) {
  std::ostringstream stream;
  module.save(stream);
  return std::move(stream).str();
}

ArchiveInMemory in_memory(const std::string& archive, const ::torch::jit::Module& module) {
  return {.bytes = std::as_bytes(std::span(archive)), .name = module.type()->name()->name()};
}

void prepend(std::vector<Diagnostic> first, std::vector<Diagnostic>& warnings) {
  warnings.insert(warnings.begin(), std::make_move_iterator(first.begin()),
                  std::make_move_iterator(first.end()));
}

}  // namespace

ExportReport export_onnx(const ::torch::jit::Module& module, const Inputs& inputs, const std::string& output,
                         const ExportOptions& options) {
  const std::string archive = saved(module);
  return cameo::export_onnx(in_memory(archive, module), output, with_inputs(options, inputs));
}

std::pair<std::string, ExportReport> export_to_memory(const ::torch::jit::Module& module,
                                                      const Inputs& inputs, const ExportOptions& options) {
  const std::string archive = saved(module);
  return cameo::export_to_memory(in_memory(archive, module), with_inputs(options, inputs));
}

ExportReport export_onnx(const Traceable& module, const Inputs& inputs, const std::string& output,
                         const ExportOptions& options) {
  Traced traced = trace_module(module, inputs, options.training);
  ExportReport report = export_onnx(traced.module, inputs, output, options);
  prepend(std::move(traced.warnings), report.warnings);
  return report;
}

std::pair<std::string, ExportReport> export_to_memory(const Traceable& module, const Inputs& inputs,
                                                      const ExportOptions& options) {
  Traced traced = trace_module(module, inputs, options.training);
  auto result = export_to_memory(traced.module, inputs, options);
  prepend(std::move(traced.warnings), result.second.warnings);
  return result;
}

}  // namespace cameo::torch
