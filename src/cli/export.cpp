#include "cameo/export.h"

#include <atomic>
#include <filesystem>
#include <memory>

#include <fmt/core.h>
#include "cameo/converter.h"
#include "cameo/format.h"
#include "cameo/version.h"
#include "cli/browser.h"
#include "cli/command.h"
#include "cli/export_options.h"
#include "cli/export_text.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "cli/verify_text.h"
#include "export/report/report.h"

namespace cameo::cli {
namespace export_command {

// One line on the standard error of a terminal. Each text replaces the one before; the destructor erases the
// line.
class Progress {
 public:
  explicit Progress(bool wanted) : shown_(wanted && is_terminal(stderr)) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() {
    if (shown_) std::fputs(kErase, stderr);
  }

  void say(std::string_view what) const {
    if (!shown_) return;
    std::fputs((kErase + std::string(what) + " …").c_str(), stderr);
    std::fflush(stderr);
  }

  // Each hundredth once. Two threads call it.
  void say_written(std::uint64_t done, std::uint64_t total) {
    const auto percent = static_cast<int>(static_cast<double>(done) / static_cast<double>(total) * 100);
    if (shown_ && percent_.exchange(percent) != percent) say(fmt::format("writing, {} %", percent));
  }

 private:
  static constexpr const char* kErase = "\r\033[K";
  bool shown_;
  std::atomic<int> percent_ = 0;
};

std::string default_output(const std::string& model) {
  return std::filesystem::path(model).stem().string() + ".onnx";
}

void refuse_overwriting(const std::string& model, const std::string& output) {
  std::error_code ignored;
  if (!std::filesystem::equivalent(model, output, ignored)) return;
  throw Error(Diagnostic{.code = Code::output_is_input,
                         .message = "the output would replace the model that is exported",
                         .file = output,
                         .hint = "name another file with -o"});
}

ExportReport convert(ExportArguments& arguments) {
  arguments.options.guess_inputs = arguments.inputs == std::vector<std::string>{"auto"};
  if (!arguments.options.guess_inputs) arguments.options.inputs = parse_inputs(arguments.inputs);
  Progress progress(!arguments.quiet);
  ExportOptions options = arguments.options;
  Registry converters;
  for (const std::string& plugin : arguments.plugins) load_plugin(plugin, converters);
  options.converters = &converters;
  Rewrites rewrites;
  for (const std::string& file : arguments.rewrites) rewrites.read(file);
  options.rewrites = &rewrites;
  options.progress = [&](std::string_view what) { progress.say(what); };
  options.writing = [&](std::uint64_t done, std::uint64_t total) { progress.say_written(done, total); };
  return export_onnx(arguments.model, arguments.output, options);
}

// The program beside the model; the program alone if there is no model or it cannot be read again.
void write_html(const ExportArguments& arguments, bool exported) {
  ViewOptions options;
  options.program = arguments.options;
  std::vector<std::string> files = {arguments.model};
  if (exported && !is_stream(arguments.output)) files.push_back(arguments.output);
  write_page(arguments.report, files, options);
}

bool wants_html(const ExportArguments& arguments) {
  return std::filesystem::path(arguments.report).extension() == ".html";
}

void write_report(const ExportArguments& arguments, const ExportReport* report,
                  std::vector<Diagnostic> diagnostics) {
  if (arguments.report.empty()) return;
  if (wants_html(arguments)) return write_html(arguments, report != nullptr);
  cameo::write_report(arguments.report, {.model = arguments.model,
                                         .output = arguments.output,
                                         .version = std::string(version()),
                                         .report = report,
                                         .all = std::move(diagnostics)});
}

ExportReport convert_and_report(ExportArguments& arguments) {
  if (!arguments.report.empty() && !wants_html(arguments)) check_report_path(arguments.report);
  ExportReport report;
  try {
    report = convert(arguments);
  } catch (const Error& error) {
    write_report(arguments, nullptr, error.diagnostics());
    throw;
  }
  write_report(arguments, &report, report.warnings);
  return report;
}

void verify(const ExportArguments& arguments) {
  const VerifyReport report =
      verify_export(arguments.model, arguments.output, {.program = arguments.options, .per_layer = true});
  if (!arguments.quiet) print(verify_text(report, Style(wants_color(stdout), false)));
  require_agreement(report, arguments.output);
}

void run(ExportArguments& arguments) {
  arguments.output =
      arguments.output.empty() ? default_output(arguments.model) : output_path(arguments.output);
  if (arguments.verify && is_stream(arguments.output))
    throw WrongUsage("--verify reads the exported model: name a regular file with -o");
  if (arguments.verify && arguments.options.state_as_io)
    throw WrongUsage("--verify: a model with --state-as-io has more inputs than the program");
  if (arguments.verify && (arguments.options.cast || arguments.options.quantize))
    throw WrongUsage("--verify: a model with --dtype or --weights differs from the program by design");
  refuse_overwriting(arguments.model, arguments.output);
  arguments.options.unroll_loops = iterations_to_unroll(arguments);
  const ExportReport report = convert_and_report(arguments);
  std::vector<Diagnostic> told = report.warnings;
  if (arguments.quiet) std::erase_if(told, [](const Diagnostic& d) { return d.severity == Severity::note; });
  std::fputs(format(told, {.color = wants_color(stderr)}).c_str(), stderr);
  std::FILE* const to = text_stream(arguments.output);
  print(report.graph, to);
  if (!arguments.quiet)
    print(export_text(report, arguments.options,
                      {.model = arguments.model,
                       .output = arguments.output,
                       .color = wants_color(to),
                       .width = columns(),
                       .timings = arguments.timings}),
          to);
  if (arguments.verify) verify(arguments);
}

}  // namespace export_command

void add_export(Command app) {
  using namespace export_command;
  const Command command = app.add_subcommand("export", "Write a saved PyTorch program as an ONNX model");
  const auto arguments = std::make_shared<ExportArguments>();
  add_export_options(command, *arguments);
  command.callback([arguments] { run(*arguments); });
}

}  // namespace cameo::cli
