#include "cameo/export.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "cameo/print.h"
#include "cameo/version.h"
#include "export/check.h"
#include "export/check_options.h"
#include "export/evaluate.h"
#include "export/float32.h"
#include "export/in_memory.h"
#include "export/program_text.h"
#include "export/report/summary.h"
#include "export/settle.h"
#include "export/stopwatch.h"
#include "export/warnings.h"
#include "model/cast/cast.h"
#include "model/quantize/quantize.h"
#include "model/split/marks.h"
#include "onnx/graph/finish.h"
#include "onnx/graph/visit.h"
#include "onnx/lower/lower.h"
#include "onnx/proto/encode.h"
#include "onnx/text/print.h"
#include "program/open.h"
#include "rules/rules.h"
#include "rules/share_weights.h"
#include "target/target.h"
#include "write/write.h"

namespace cameo {
namespace {

// Finds out which nodes simplification removes.
class Removals {
 public:
  using Rules = std::unordered_map<const onnx::Node*, std::string_view>;

  explicit Removals(std::vector<RemovedNode>* removed) : removed_(removed) {}

  void begin(const onnx::Model& model) {
    if (removed_)
      onnx::each_node(model.main(), [this](const onnx::Node& node) { before_.push_back({&node, node.origin, node.op}); });
  }
  void watch(rules::Options& options) {
    if (!removed_) return;
    options.watch = [this](const onnx::Node& node, const rules::Rule& rule, std::string_view reason) {
      if (reason.empty()) rules_.insert_or_assign(&node, rule.name);
    };
  }
  void end(const onnx::Model& model) {
    if (!removed_) return;
    std::unordered_set<const onnx::Node*> left;
    onnx::each_node(model.main(), [&](const onnx::Node& node) { left.insert(&node); });
    for (const auto& [node, origin, op] : before_) {
      if (left.contains(node)) continue;
      const auto rule = rules_.find(node);
      removed_->push_back({origin, op, rule == rules_.end() ? "" : std::string(rule->second)});
    }
  }

 private:
  struct Before {
    const onnx::Node* node;
    const onnx::Origin* origin;
    std::string op;
  };
  std::vector<RemovedNode>* removed_;
  std::vector<Before> before_;
  Rules rules_;
};

void simplify(onnx::Model& model, const Settled& settled, const Evaluated& evaluated, ExportReport& report,
              Removals& removals) {
  const ExportOptions& options = settled.options;
  if (options.operators == OperatorExport::raw) return onnx::assign_names(model);
  onnx::prune(model);
  if (options.float64_as_float32) use_float32(model);
  std::ranges::move(place_parameters(model, evaluated.parameters, options),
                    std::back_inserter(report.warnings));
  const bool linked = options.external_data == ExternalData::link;
  removals.begin(model);
  if (!settled.in_training && options.operators == OperatorExport::onnx) {
    rules::Options rules{.disabled = options.disabled_rules,
                         .stop_after = options.stop_rules_after,
                         .change_weights = !linked && options.parameters};
    removals.watch(rules);
    report.rules = rules::simplify(model, rules);
  }
  removals.end(model);
  rules::share_weights(model, linked);
  onnx::finish(model,
               options.metadata == Metadata::none ? onnx::NameStyle::numbers : onnx::NameStyle::modules);
#ifndef NDEBUG
  onnx::verify(model);
#endif
}

onnx::LowerOptions lower_options(const ExportOptions& options) {
  return {.doc_strings = options.doc_strings,
          .metadata = options.metadata == Metadata::full,
          .initializers_as_inputs =
              options.keep_initializers_as_inputs.value_or(options.operators != OperatorExport::onnx)};
}

// The messages of a model, which is lowered, cast and quantised when they are first needed.
class Messages {
 public:
  Messages(const onnx::Model& model, const ExportOptions& options, std::string program, ExportReport& report)
      : model_(model),
        options_(options),
        program_(std::move(program)),
        report_(report),
        lowering_(texts_, lower_options(options)) {}

  const onnx::proto::Model& get() {
    if (!messages_) {
      messages_ = lowering_.model(model_);
      model::record_marks(*messages_, texts_);
      if (options_.cast || options_.quantize) change();
    }
    return *messages_;
  }
  const ExportReport& report() const { return report_; }  // so far

 private:
  void change() {
    model::Opened opened(MappedFile::wrap({}, program_), std::move(*messages_));
    if (options_.cast)
      std::ranges::move(model::cast(opened, *options_.cast).warnings, std::back_inserter(report_.warnings));
    if (options_.quantize) model::quantize(opened, *options_.quantize);
    messages_ = std::move(opened.model);
    kept_ = std::move(opened.kept);
  }

  const onnx::Model& model_;
  const ExportOptions& options_;
  std::string program_;
  ExportReport& report_;
  std::vector<std::shared_ptr<const void>> kept_;
  onnx::proto::Texts texts_;
  onnx::Lowering lowering_;
  std::optional<onnx::proto::Model> messages_;
};

struct Source {
  std::shared_ptr<const MappedFile> file;
  std::vector<archive::Borrowed> borrowed;
};

Source open(const std::string& path) { return {MappedFile::open(path), {}}; }

Source open(const ArchiveInMemory& archive) {
  Source source{MappedFile::wrap(archive.bytes, archive.name), {}};
  for (const auto& [mark, bytes] : archive.borrowed) source.borrowed.push_back({mark, bytes});
  return source;
}

// Runs the stages in order; `write_out` is the last and returns the number of bytes that it wrote.
template <class Model, class Write>
ExportReport run(const Model& source, const ExportOptions& given, Write write_out,
                 std::vector<RemovedNode>* removed = nullptr) {
  ExportReport report;
  Stopwatch stages(given, report);
  check_options(given);
  DynamicAxes axes(given.dynamic_axes);
  stages.begin("read", "reading the program");
  const auto [file, borrowed] = open(source);
  check_link(given, *file);
  const script::Program program = open_program(file, borrowed);
  Settled settled = settle(given, program, axes, report.warnings);
  const ExportOptions& options = settled.options;
  stages.begin("evaluate", "evaluating");
  if (options.state_as_io) settled.state = find_state(program, settled);
  onnx::Model model;
  model.producer_version = version();
  const Evaluated evaluated = evaluate(program, model, settled, axes, report);
  stages.begin("simplify", "simplifying the graph");
  Removals removals(removed);
  simplify(model, settled, evaluated, report, removals);
  describe_state(model, evaluated.state);
  settle_domains(model, options, report.warnings);
  axes.name_outputs(model);
  if (options.operators != OperatorExport::raw) warn_of_unconnected(model, evaluated.inputs, report.warnings);
  if (options.operators == OperatorExport::onnx) warn_of_float64(model, report.warnings);
  if (!options.target.empty())
    std::ranges::move(target::missing(model, target::find(options.target)),
                      std::back_inserter(report.warnings));
  std::ranges::move(axes.take_warnings(), std::back_inserter(report.warnings));
  Messages messages(model, options, file->name(), report);
  if (options.check && options.operators == OperatorExport::onnx) {
    stages.begin("check", "checking the model");
    std::ranges::move(check_exported(messages.get(), model), std::back_inserter(report.warnings));
  }
  for (Diagnostic& warning : report.warnings)
    if (warning.file.empty()) warning.file = file->name();
  summarize(model, report);
  if (options.cast || options.quantize) summarize(messages.get(), report);
  if (options.verbose) report.graph = onnx::print(model);
  stages.begin("write", "writing");
  report.bytes = write_out(program, model, messages);
  stages.end();
  return report;
}

template <class Model>
ExportReport to_file(const Model& source, const std::string& output, const ExportOptions& options) {
  return run(source, options, [&](const script::Program&, const onnx::Model&, Messages& messages) {
    const Written written =
        write(messages.get(), output,
              {.external_data = options.external_data, .sync = options.sync, .progress = options.writing});
    return written.bytes + written.external_bytes;
  });
}

template <class Model>
std::pair<std::string, ExportReport> to_memory(const Model& source, const ExportOptions& options) {
  std::string bytes;
  ExportReport report =
      run(source, options, [&](const script::Program&, const onnx::Model&, Messages& messages) {
        bytes = encode(messages.get());
        return static_cast<std::uint64_t>(bytes.size());
      });
  return {std::move(bytes), std::move(report)};
}

}  // namespace

ExportReport export_onnx(const std::string& model, const std::string& output, const ExportOptions& options) {
  return to_file(model, output, options);
}

ExportReport export_onnx(const ArchiveInMemory& model, const std::string& output,
                         const ExportOptions& options) {
  return to_file(model, output, options);
}

std::pair<std::string, ExportReport> export_to_memory(const std::string& model,
                                                      const ExportOptions& options) {
  return to_memory(model, options);
}

std::pair<std::string, ExportReport> export_to_memory(const ArchiveInMemory& model,
                                                      const ExportOptions& options) {
  return to_memory(model, options);
}

std::string print_program(const std::string& path, const ExportOptions& options,
                          const inspect::TextOptions& look) {
  std::string text;
  run(path, options, [&](const script::Program& program, const onnx::Model& model, Messages&) {
    text = program_text(program, options.method, model, look);
    return std::uint64_t{0};
  });
  return text;
}

void export_and_use(const std::string& model, const ExportOptions& options,
                    const std::function<void(const Exported&)>& use) {
  std::vector<RemovedNode> removed;
  run(
      model, options,
      [&](const script::Program& program, const onnx::Model& graph, Messages& messages) {
        use({program, graph, messages.get(), removed, messages.report()});
        return std::uint64_t{0};
      },
      &removed);
}

}  // namespace cameo
