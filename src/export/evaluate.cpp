#include "export/evaluate.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "export/inputs/arguments.h"
#include "export/outputs.h"
#include "export/warnings.h"
#include "export/watch.h"
#include "onnx/downgrade/downgrade.h"
#include "onnx/emit/emit.h"
#include "raw/raw.h"

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
  ev.reporter().fail(Code::no_such_method, fmt::format("the module has no method '{}'", name),
                     fmt::format("it has: {}", known));
}

bool failed(const eval::Findings& findings) {
  return std::ranges::any_of(findings.diagnostics,
                             [](const Diagnostic& d) { return d.severity == Severity::error; });
}

// Warnings are reported too: they may explain the error.
Error errors_first(std::vector<Diagnostic> diagnostics) {
  std::stable_partition(diagnostics.begin(), diagnostics.end(),
                        [](const Diagnostic& d) { return d.severity == Severity::error; });
  return Error(std::move(diagnostics));
}

// Whether the program calls torch.autograd.grad.
bool differentiates(const script::Program& program) {
  return std::ranges::any_of(program.code_files(), [&](std::string_view name) {
    const std::optional<std::string_view> code = program.source().code(name);
    const auto calls = [&](std::string_view call) { return code->find(call) != code->npos; };
    return code && (calls("torch.autograd.grad(") || calls("torch.grad("));
  });
}

void report_changes(const eval::Object& root, const Settled& settled, ExportReport& report) {
  for (const State& each : changed_state(root))
    if (!settled.state.contains(each.path)) report.changed_buffers.push_back(each.path);
  if (!report.changed_buffers.empty() && !settled.in_training &&
      settled.options.operators == OperatorExport::onnx)
    report.warnings.push_back(state_warning(report.changed_buffers));
}

Evaluated run(eval::Evaluator& ev, const Settled& settled, DynamicAxes& axes, Watch& watch,
              ExportReport& report) {
  ExportOptions options = settled.options;
  const eval::ObjectPtr root = ev.loader().root();
  const script::FunctionDef& method = entry_point(ev, *root, options.method);
  Evaluated out{.inputs = {}, .parameters = parameters_of(*root)};
  if (!settled.state.empty()) out.state = state_inputs(*root, ev);
  warn_of_training(*root, options, report.warnings);
  ev.loader().set_mode(*root);
  std::vector<onnx::Value*>& inputs = ev.emit().model().main().inputs;
  const auto before = std::ssize(inputs);
  if (options.guess_inputs) options.inputs = guess_inputs(ev, *root, method);
  InputMaker maker(ev, options, axes);
  const eval::Arguments arguments = make_arguments(ev, *root, method, options, maker);
  std::ranges::rotate(inputs, inputs.begin() + before);
  out.inputs.assign(inputs.begin(), options.state_as_io ? inputs.end() : inputs.end() - before);
  maker.sizes().solve();
  watch.set_examples(maker.sizes().examples());
  if (options.operators == OperatorExport::raw) {
    raw::lower(ev, root, method, arguments, options.output_names);
    return out;
  }
  const eval::Value result = ev.call_method(root, options.method, arguments);
  if (failed(ev.findings())) throw errors_first(std::move(ev.findings().diagnostics));
  make_outputs(ev, result, options);
  add_state_outputs(ev, *root, out.state);
  report_changes(*root, settled, report);
  return out;
}

// Gradients do not pass a Loop: loops of a program that differentiates are unrolled.
eval::Options evaluator_options(const Settled& settled, bool differentiable) {
  const ExportOptions& options = settled.options;
  eval::Options out;
  const bool all = options.static_shapes || differentiable;
  out.unroll = all ? std::numeric_limits<std::int64_t>::max() : options.unroll_loops;
  out.parameters_as_inputs = !options.parameters;
  out.state_inputs = settled.state;
  out.training = options.training;
  out.operators = options.operators;
  out.converters = options.converters;
  out.rewrites = options.rewrites;
  out.target = options.target;
  return out;
}

}  // namespace

// State that depends on the input may decide what else changes, so the search ends when it finds no more.
std::set<std::string> find_state(const script::Program& program, const Settled& settled) {
  Settled trial = settled;
  while (true) {
    DynamicAxes axes(settled.options.dynamic_axes);
    onnx::Model model;
    ExportReport report;
    evaluate(program, model, trial, axes, report);
    const std::size_t before = trial.state.size();
    trial.state.insert(report.changed_buffers.begin(), report.changed_buffers.end());
    if (trial.state.size() == before) return trial.state;
  }
}

Evaluated evaluate(const script::Program& program, onnx::Model& model, const Settled& settled,
                   DynamicAxes& axes, ExportReport& report) {
  const ExportOptions& options = settled.options;
  Watch watch;
  onnx::Emit emit(model, onnx::downgrade(),
                  {.opset = options.opset,
                   .fold = options.fold_constants,
                   .training = settled.in_training,
                   .quantize_at_run_time = options.quantized_weights == QuantizedWeights::qdq,
                   .dynamic_qdq = options.dynamic_quantization == DynamicQuantization::qdq,
                   .differentiable = differentiates(program)});
  eval::Evaluator ev(program, emit, evaluator_options(settled, emit.differentiable()));
  ev.set_watch([&](std::string_view op, const eval::Arguments& arguments) { watch(ev, op, arguments); });
  auto with = [&ev](Diagnostic last) {
    std::vector<Diagnostic> all = std::move(ev.findings().diagnostics);
    all.push_back(std::move(last));
    return errors_first(std::move(all));
  };
  try {
    Evaluated evaluated = run(ev, settled, axes, watch, report);
    eval::Findings& findings = ev.findings();
    std::ranges::move(findings.diagnostics, std::back_inserter(report.warnings));
    report.assumptions = std::move(findings.assumptions);
    if (options.rewrites) {
      report.rewrites = ev.rewrites().uses(options.rewrites->rules());
      std::ranges::move(ev.rewrites().unused(options.rewrites->rules()), std::back_inserter(report.warnings));
    }
    return evaluated;
  } catch (eval::Raised& raised) {
    raised.where.message = fmt::format("the program raises: {}", raised.message);
    throw with(std::move(raised.where));
  } catch (const aten::Unsupported& unsupported) {
    throw with(ev.reporter().diagnostic(Severity::error, Code::unsupported, unsupported.what()));
  }
}

}  // namespace cameo
