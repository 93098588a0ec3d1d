#include "export/evaluate.h"

#include <fmt/format.h>

#include <algorithm>

#include "export/arguments.h"
#include "export/changed_buffers.h"
#include "export/outputs.h"
#include "onnx/emit.h"

namespace cameo {
namespace {

const script::FunctionDef& entry_point(eval::Evaluator& ev, const eval::Object& root,
                                       const std::string& name) {
  if (root.definition)
    if (const script::FunctionDef* method = ev.program().find_method(*root.definition.def, name))
      return *method;
  std::string known;
  if (root.definition)
    for (const script::FunctionDef& method : root.definition.def->methods)
      known += (known.empty() ? "" : ", ") + std::string(method.name);
  ev.fail("no-such-method", fmt::format("the module has no method '{}'", name),
          fmt::format("it has: {}", known));
}

bool failed(const eval::Findings& findings) {
  return std::ranges::any_of(findings.diagnostics,
                             [](const Diagnostic& d) { return d.severity == Severity::error; });
}

void run(eval::Evaluator& ev, const ExportOptions& options, ExportReport& report) {
  const eval::ObjectPtr root = ev.root();
  const script::FunctionDef& method = entry_point(ev, *root, options.method);
  const eval::Arguments arguments = make_arguments(ev, method, options);
  const eval::Value result = ev.call_method(root, options.method, arguments);
  if (failed(ev.findings())) throw Error(ev.findings().diagnostics);
  make_outputs(ev, result, options);
  report.changed_buffers = changed_buffers(*root);
}

}  // namespace

void evaluate(const script::Program& program, onnx::Model& model, const ExportOptions& options,
              ExportReport& report) {
  onnx::Emit emit(model, {.opset = options.opset});
  eval::Evaluator ev(program, emit, {.unroll = options.unroll_loops});
  auto with = [&ev](Diagnostic last) {
    std::vector<Diagnostic> all = std::move(ev.findings().diagnostics);
    all.push_back(std::move(last));
    return Error(std::move(all));
  };
  try {
    run(ev, options, report);
  } catch (eval::Raised& raised) {
    raised.where.message = fmt::format("the program raises: {}", raised.message);
    throw with(std::move(raised.where));
  } catch (const aten::Unsupported& unsupported) {
    throw with(ev.diagnostic(Severity::error, Stage::evaluate, "unsupported", unsupported.what()));
  }
  report.warnings = std::move(ev.findings().diagnostics);
  report.assumptions = std::move(ev.findings().assumptions);
}

}  // namespace cameo
