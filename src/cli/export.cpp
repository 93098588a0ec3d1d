#include "cameo/export.h"

#include <filesystem>
#include <limits>
#include <memory>

#include <CLI/CLI.hpp>

#include "cameo/format.h"
#include "cli/command.h"
#include "cli/export_text.h"
#include "cli/terminal.h"

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
  command->add_option("--opset", options.opset, "Version of the ONNX operators, 9 to 27. Default: 17")
      ->option_text("N")
      ->group("The exported model");
  command->add_flag("-q,--quiet", arguments->quiet, "Say nothing but warnings and errors")
      ->group("What is printed");
  command->footer(kExamples);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace cameo::cli
