#include "cameo/export.h"

#include "export/evaluate.h"
#include "export/names.h"
#include "export/stopwatch.h"
#include "export/summary.h"
#include "inspect/open.h"
#include "onnx/finish.h"
#include "rules/rules.h"
#include "write/write.h"

namespace cameo {
namespace {

void simplify(onnx::Model& model, const ExportOptions&, ExportReport&) {
  onnx::prune(model);
  for (const rules::Rule& rule : rules::kRules) rule.apply(model);
  onnx::finish(model);
#ifndef NDEBUG
  onnx::verify(model);
#endif
}

WriteOptions write_options(const ExportOptions& options) {
  return {.external_data = options.external_data, .doc_strings = options.doc_strings};
}

// The stages in order; `write_out` is the last and says how many bytes it wrote.
template <class Write>
ExportReport run(const std::string& path, const ExportOptions& options, Write write_out) {
  ExportReport report;
  Stopwatch stages(options, report);
  check_names(options);
  stages.begin("read", "reading the program");
  const script::Program program = inspect::open_program(MappedFile::open(path));
  stages.begin("evaluate", "evaluating");
  onnx::Model model;
  evaluate(program, model, options, report);
  stages.begin("simplify", "simplifying the graph");
  simplify(model, options, report);
  summarize(model, report);
  stages.begin("write", "writing");
  report.bytes = write_out(model, write_options(options));
  stages.end();
  return report;
}

}  // namespace

ExportReport export_onnx(const std::string& path, const std::string& output, const ExportOptions& options) {
  return run(path, options, [&](const onnx::Model& model, const WriteOptions& how) {
    const Written written = write(model, output, how);
    return written.bytes + written.external_bytes;
  });
}

std::pair<std::string, ExportReport> export_to_memory(const std::string& path, const ExportOptions& options) {
  std::string bytes;
  ExportReport report = run(path, options, [&](const onnx::Model& model, const WriteOptions& how) {
    bytes = write_to_memory(model, how);
    return static_cast<std::uint64_t>(bytes.size());
  });
  return {std::move(bytes), std::move(report)};
}

}  // namespace cameo
