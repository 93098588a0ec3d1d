#include "cameo/export.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/nearest.h"
#include "base/text.h"
#include "cameo/format.h"
#include "cli/command.h"
#include "cli/export_text.h"
#include "cli/terminal.h"
#include "rules/rules.h"

namespace cameo::cli {
namespace {

struct Arguments {
  std::string model;
  std::string output;
  std::string unroll;
  ExportOptions options;
  bool quiet = false;
};

constexpr std::string_view kEvery = "true";  // what a flag without a value says

constexpr const char* kExamples = R"(An input is written as
  x=f32[batch,3,224,224]   a tensor: numbers are fixed sizes, names dynamic ones
  mask=bool[n,n]  i64[]    the same name is the same size; [] has no dimensions
  x=@input.npy             a tensor like the one in the file
  n=3  s="text"  m=None    a value that is fixed in the exported model
  h=(f32[1,8],f32[1,8])    a tuple; [ … ] is a list, {"key": … } a dict

Examples:
  cameo export model.pt                               with the example inputs of the file
  cameo export model.pt --input 'f32[batch,3,h,w]'    for images of any number and size
  cameo export model.pt --input 'i64[n]' -o out.onnx  into out.onnx instead of ./model.onnx
  cameo export model.pt --unroll-loops=16             no Loop where there are at most 16 turns)";

// One line on a terminal's standard error, written over until it is erased at the end.
class Progress {
 public:
  explicit Progress(bool wanted) : shown_(wanted && wants_color(stderr)) {}
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

 private:
  static constexpr const char* kErase = "\r\033[K";
  bool shown_;
};

std::string default_output(const std::string& model) {
  return std::filesystem::path(model).stem().string() + ".onnx";
}

void refuse_overwriting(const std::string& model, const std::string& output) {
  std::error_code ignored;
  if (!std::filesystem::equivalent(model, output, ignored)) return;
  throw Error(Diagnostic{.stage = Stage::write,
                         .code = "output-is-input",
                         .message = "the output would replace the model that is exported",
                         .file = output,
                         .hint = "name another file with -o"});
}

std::int64_t turns(const std::string& text) {
  if (text.empty()) return 0;
  return text == kEvery ? std::numeric_limits<std::int64_t>::max() : std::stoll(text);
}

std::string no_number(const std::string& text) {
  const bool number = !text.empty() && text.size() < 18 && text.find_first_not_of("0123456789") == text.npos;
  return number || text == kEvery ? "" : "'" + text + "' is no number of turns";
}

ExportReport convert(const Arguments& arguments) {
  const Progress progress(!arguments.quiet);
  ExportOptions options = arguments.options;
  options.progress = [&](std::string_view what) { progress.say(what); };
  return export_onnx(arguments.model, arguments.output, options);
}

void run(Arguments& arguments) {
  if (arguments.output.empty()) arguments.output = default_output(arguments.model);
  refuse_overwriting(arguments.model, arguments.output);
  arguments.options.unroll_loops = turns(arguments.unroll);
  const ExportReport report = convert(arguments);
  std::fputs(format(report.warnings, {.color = wants_color(stderr)}).c_str(), stderr);
  if (arguments.quiet) return;
  print(export_text(report, arguments.options,
                    {.model = arguments.model,
                     .output = arguments.output,
                     .color = wants_color(stdout),
                     .width = columns()}));
}

void add_names(CLI::App& command, const char* option, std::vector<std::string>& names, const char* help) {
  command.add_option(option, names, help)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("A,B")
      ->group("The exported model");
}

std::string no_rule(const std::string& name) {
  std::vector<std::string> known;
  for (const rules::Rule& rule : rules::all_rules()) known.emplace_back(rule.name);
  if (std::ranges::find(known, name) != known.end()) return {};
  const std::string meant = nearest(name, known);
  return "there is no rule '" + printable(name) + "'" +
         (meant.empty() ? "; --list-rules shows them" : ", did you mean '" + meant + "'?");
}

[[noreturn]] void list_rules() {
  std::string text;
  for (const rules::Rule& rule : rules::all_rules())
    text += fmt::format("{}{:<23} {}", text.empty() ? "" : "\n", rule.name, rule.doc);
  throw CLI::CallForVersion(text, 0);
}

void add_rules(CLI::App& command, ExportOptions& options) {
  constexpr const char* kGroup = "Simplification";
  command.add_option("--no-rule", options.disabled_rules, "Leave out one of the simplifications; repeatable")
      ->allow_extra_args(false)
      ->check(no_rule)
      ->option_text("NAME")
      ->group(kGroup);
  command
      .add_option("--stop-after", options.stop_rules_after,
                  "Simplify at most N times, to find a rule at fault")
      ->check(CLI::NonNegativeNumber)
      ->option_text("N")
      ->group(kGroup);
  command.add_flag_callback("--list-rules", list_rules, "Show the simplifications and stop")->group(kGroup);
}

void add_external_data(CLI::App& command, ExternalData& choice) {
  static const std::map<std::string, ExternalData> kChoices = {{"auto", ExternalData::automatic},
                                                               {"always", ExternalData::always},
                                                               {"never", ExternalData::never},
                                                               {"link", ExternalData::link}};
  command
      .add_option("--external-data", choice,
                  "Weights in a file of their own, OUTPUT.data: auto (beyond\n"
                  "2 GB), always, never; link: MODEL itself is that file.\nDefault: auto")
      ->transform(CLI::CheckedTransformer(kChoices).description(""))
      ->option_text("WHEN")
      ->group("The exported model");
}

}  // namespace

void add_export(CLI::App& app) {
  CLI::App* command = app.add_subcommand("export", "Write a saved PyTorch program as an ONNX model");
  const auto arguments = std::make_shared<Arguments>();
  ExportOptions& options = arguments->options;
  command->add_option("MODEL", arguments->model, "The TorchScript program (.pt)")->required()->type_name("");
  command
      ->add_option("-i,--input", options.inputs,
                   "An argument of the program, see below; repeatable, in order\n"
                   "or by name. Default: the example inputs that the file holds")
      ->allow_extra_args(false)
      ->option_text("SPEC")
      ->group("What to export");
  command->add_option("--method", options.method, "The method to export. Default: forward")
      ->type_name("NAME")
      ->group("What to export");
  command
      ->add_option("-o,--output", arguments->output,
                   "The file to write. Default: MODEL's name with .onnx,\nin the current folder")
      ->type_name("FILE")
      ->group("The exported model");
  add_names(*command, "--input-names", options.input_names, "Names of its inputs, in order");
  add_names(*command, "--output-names", options.output_names, "Names of its outputs, in order");
  command
      ->add_flag("--unroll-loops", arguments->unroll,
                 "Repeat the body instead of writing a Loop, wherever the number\n"
                 "of turns is known (and at most N)")
      ->check(no_number)
      ->option_text("[=N]")
      ->group("The exported model");
  command->add_option("--opset", options.opset, "Version of the ONNX operators, 13 to 21. Default: 17")
      ->check(CLI::Range(13, 21))
      ->option_text("N")
      ->group("The exported model");
  add_external_data(*command, options.external_data);
  add_rules(*command, options);
  command->add_flag("-q,--quiet", arguments->quiet, "Say nothing but warnings and errors")
      ->group("What is printed");
  command->footer(kExamples);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace cameo::cli
