#include "cameo/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "eval/evaluator.h"
#include "export/arguments.h"
#include "export/check.h"
#include "inspect/open.h"
#include "onnx/emit.h"
#include "onnx/finish.h"
#include "rules/rules.h"
#include "write/write.h"

namespace cameo {
namespace {

using eval::Value;

// The tensors of the result, with the names that its structure suggests.
class Outputs {
 public:
  Outputs(eval::Evaluator& ev, const std::vector<std::string>& names) : ev_(ev), names_(names) {}

  void add(const Value& value, const std::string& name) {
    if (const eval::TuplePtr* tuple = value.get_if<eval::TuplePtr>()) {
      for (std::size_t i = 0; i < (*tuple)->items.size(); ++i)
        add((*tuple)->items[i], i < (*tuple)->fields.size() ? (*tuple)->fields[i] : std::string());
    } else if (const eval::ListPtr* list = value.get_if<eval::ListPtr>()) {
      if ((*list)->sequence) put((*list)->sequence, name);
      for (const Value& item : (*list)->items) add(item, {});
    } else if (const eval::DictPtr* dict = value.get_if<eval::DictPtr>()) {
      for (const auto& [key, item] : (*dict)->items) {
        const std::string* text = key.get_if<std::string>();
        add(item, text ? *text : std::string());
      }
    } else if (value.is<eval::CellPtr>() || value.is_number() || value.is_bool()) {
      put(ev_.tensor(value), name);
    } else if (!value.is_none()) {
      ev_.fail("unsupported-output",
               fmt::format("{} cannot be an output of an ONNX model", eval::describe(value)));
    }
  }
  std::size_t count() const { return next_; }

 private:
  void put(onnx::Value* value, const std::string& suggested) {
    onnx::Emit& e = ev_.emit();
    std::string name;
    if (next_ < names_.size())
      name = names_[next_];
    else if (!suggested.empty())
      name = suggested;
    else
      name = next_ == 0 ? "output" : fmt::format("output_{}", next_);
    ++next_;
    while (!taken_.insert(name).second || input_named(name)) name += "_out";
    e.graph_output(&e.model().main(), value, name);
  }
  bool input_named(const std::string& name) const {
    return std::ranges::any_of(ev_.emit().model().main().inputs,
                               [&](const onnx::Value* v) { return v->name == name; });
  }

  eval::Evaluator& ev_;
  const std::vector<std::string>& names_;
  std::set<std::string> taken_;
  std::size_t next_ = 0;
};

void count_nodes(const onnx::Graph& graph, std::map<std::string, std::int64_t>& counts,
                 std::set<const onnx::Value*>& constants) {
  for (const onnx::Node* node : graph.nodes) {
    ++counts[node->op];
    for (const onnx::Value* input : node->inputs)
      if (input && input->constant()) constants.insert(input);
    for (const onnx::Attribute& attribute : node->attributes)
      if (onnx::Graph* const* sub = std::get_if<onnx::Graph*>(&attribute.value))
        count_nodes(**sub, counts, constants);
  }
}

void check_names(const ExportOptions& options) {
  std::set<std::string> seen;
  for (const auto* names : {&options.input_names, &options.output_names})
    for (const std::string& name : *names)
      if (!seen.insert(name).second) {
        Diagnostic d;
        d.stage = Stage::evaluate;
        d.code = "duplicate-name";
        d.message = fmt::format("the name '{}' is given twice", name);
        d.hint = "inputs and outputs of an ONNX model need different names";
        throw Error(std::move(d));
      }
}

// Buffers whose cells were written.
void note_changes(const eval::Object& object, const std::string& path, std::set<const eval::Object*>& visited,
                  std::vector<std::string>& out) {
  if (!visited.insert(&object).second) return;
  for (const auto& [name, value] : object.attributes) {
    const std::string child = path.empty() ? name : fmt::format("{}.{}", path, name);
    if (const eval::CellPtr* cell = value.get_if<eval::CellPtr>()) {
      if ((*cell)->buffer != child ? !(*cell)->tensor->constant() : (*cell)->version != 0)
        out.push_back(child);
    } else if (const eval::ObjectPtr* sub = value.get_if<eval::ObjectPtr>()) {
      note_changes(**sub, child, visited, out);
    }
  }
}

ExportReport evaluate(const script::Program& program, onnx::Model& model, const ExportOptions& options) {
  check_names(options);
  onnx::Emit emit(model, {.opset = options.opset});
  eval::Evaluator ev(program, emit, {.unroll = options.unroll_loops});
  auto progress = [&](std::string_view text) {
    if (options.progress) options.progress(text);
  };
  ExportReport report;
  try {
    progress("reading the module tree");
    eval::ObjectPtr root = ev.root();
    const script::FunctionDef* method =
        root->definition ? program.find_method(*root->definition.def, options.method) : nullptr;
    if (!method) {
      std::string known;
      if (root->definition)
        for (const script::FunctionDef& m : root->definition.def->methods)
          known += (known.empty() ? "" : ", ") + std::string(m.name);
      ev.fail("no-such-method", fmt::format("the module has no method '{}'", options.method),
              fmt::format("it has: {}", known));
    }
    eval::Arguments args = make_arguments(ev, *method, options);
    progress("evaluating");
    Value result = ev.call_method(root, options.method, args);
    const bool failed = std::ranges::any_of(
        ev.findings().diagnostics, [](const Diagnostic& d) { return d.severity == Severity::error; });
    if (failed) throw Error(ev.findings().diagnostics);
    Outputs outputs(ev, options.output_names);
    outputs.add(result, {});
    if (outputs.count() == 0) ev.fail("no-output", "the entry point returns no tensor");
    if (options.output_names.size() > outputs.count())
      ev.fail("too-many-names", fmt::format("{} output names are given for {} outputs",
                                            options.output_names.size(), outputs.count()));
    std::set<const eval::Object*> visited;
    note_changes(*root, {}, visited, report.changed_buffers);
  } catch (eval::Raised& raised) {
    std::vector<Diagnostic> all = ev.findings().diagnostics;
    raised.where.message = fmt::format("the program raises: {}", raised.message);
    all.push_back(std::move(raised.where));
    throw Error(std::move(all));
  } catch (const aten::Unsupported& unsupported) {
    std::vector<Diagnostic> all = ev.findings().diagnostics;
    all.push_back(ev.diagnostic(Severity::error, Stage::evaluate, "unsupported", unsupported.what()));
    throw Error(std::move(all));
  }
  progress("finishing the graph");
  onnx::prune(model);
  for (const rules::Rule& rule : rules::kRules) rule.apply(model);
  onnx::finish(model);
#ifndef NDEBUG
  onnx::verify(model);
#endif
  report.warnings = std::move(ev.findings().diagnostics);
  report.assumptions = std::move(ev.findings().assumptions);
  report.opset = options.opset;
  for (const onnx::Value* input : model.main().inputs)
    report.inputs.push_back({input->name, to_string(input->type)});
  for (const onnx::Value* output : model.main().outputs)
    report.outputs.push_back({output->name, to_string(output->type)});
  std::map<std::string, std::int64_t> counts;
  std::set<const onnx::Value*> constants;
  count_nodes(model.main(), counts, constants);
  report.operators.assign(counts.begin(), counts.end());
  std::ranges::stable_sort(report.operators,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [op, count] : counts) report.nodes += count;
  for (const onnx::Value* constant : constants) report.parameters += constant->data->numel();
  return report;
}

template <class Write>
ExportReport timed(const std::string& path, const ExportOptions& options, Write write_out) {
  const auto start = std::chrono::steady_clock::now();
  const script::Program program = inspect::open_program(MappedFile::open(path));
  onnx::Model model;
  ExportReport report = evaluate(program, model, options);
  if (options.check)
    for (Diagnostic& warning : check_exported(model)) report.warnings.push_back(std::move(warning));
  if (options.progress) options.progress("writing");
  report.bytes = write_out(model);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace

ExportReport export_onnx(const std::string& path, const std::string& output, const ExportOptions& options) {
  return timed(path, options, [&](const onnx::Model& model) {
    const Written written = write(model, output);
    return written.bytes + written.external_bytes;
  });
}

std::pair<std::string, ExportReport> export_to_memory(const std::string& path, const ExportOptions& options) {
  std::string bytes;
  ExportReport report = timed(path, options, [&](const onnx::Model& model) {
    bytes = write_to_memory(model);
    return static_cast<std::uint64_t>(bytes.size());
  });
  return {std::move(bytes), std::move(report)};
}

}  // namespace cameo
