#include "cameo/view.h"

#include <filesystem>
#include <memory>

#include <fmt/core.h>

#include "base/new_file.h"
#include "base/text.h"
#include "cli/browser.h"
#include "cli/command.h"
#include "cli/export_options.h"
#include "cli/output.h"
#include "cli/terminal.h"

namespace cameo::cli {
namespace view_command {

struct Arguments {
  std::vector<std::string> files;
  ExportArguments program;
  ViewOptions options;
  std::string output, weights;
  bool no_open = false;
};

constexpr const char* kExamples = R"(The page holds everything that it shows. It needs no network and sends nothing.

Examples:
  cameo view model.onnx                       write model.html and open it
  cameo view model.pt                         the program beside the nodes it becomes
  cameo view model.pt model.onnx              the program beside a model made from it
  cameo view new.onnx --against old.onnx      what is new, gone, changed and renamed
  cameo view model.onnx -o model.svg          a picture of the outermost groups
  cameo view model.onnx -o layer.png --only layer1 --depth 2)";

enum class Form { page, svg, dot, json, png };

Form form_of(const std::string& output) {
  const std::string extension = std::filesystem::path(output).extension().string();
  if (extension == ".svg") return Form::svg;
  if (extension == ".dot") return Form::dot;
  if (extension == ".json") return Form::json;
  if (extension == ".png") return Form::png;
  if (extension == ".html" || extension == ".htm") return Form::page;
  throw Error(Diagnostic{.code = Code::unknown_extension,
                         .message = "the extension of the output is not .html, .svg, .png, .dot or .json",
                         .file = output,
                         .hint = "name a file with one of these extensions"});
}

ViewFormat format_of(Form form) {
  switch (form) {
    case Form::page: return ViewFormat::html;
    case Form::dot: return ViewFormat::dot;
    case Form::json: return ViewFormat::json;
    case Form::svg:
    case Form::png: break;
  }
  return ViewFormat::svg;
}

std::uint64_t weight_limit(const std::string& given) {
  if (given.empty()) return ViewOptions().weights;
  if (given == "all") return std::numeric_limits<std::uint64_t>::max();
  if (given == "none") return 0;
  throw WrongUsage("--weights: '" + printable(given) + "' is neither all nor none");
}

void write(const std::string& path, const std::string& text) {
  NewFile file(path);
  file.append(text);
  file.commit();
}

void run(Command command, Arguments& arguments) {
  ExportOptions& program = arguments.options.program;
  program = arguments.program.options;
  program.unroll_loops = iterations_to_unroll(arguments.program);
  program.guess_inputs = arguments.program.inputs == std::vector<std::string>{"auto"};
  if (!program.guess_inputs) program.inputs = parse_inputs(arguments.program.inputs);
  arguments.options.weights = weight_limit(arguments.weights);
  const bool named = !arguments.output.empty();
  if (!named) arguments.output = std::filesystem::path(arguments.files.front()).stem().string() + ".html";
  const Form form = form_of(arguments.output);
  if ((command.given("--depth") || command.given("--only")) && form != Form::svg && form != Form::png && form != Form::dot)
    throw WrongUsage("--depth and --only: apply to pictures only; name one with -o FILE.svg");
  const std::string text = render_view(arguments.files, format_of(form), arguments.options);
  if (form == Form::png)
    draw_png(text, arguments.output);
  else
    write(arguments.output, text);
  print(fmt::format("{}\n", printable(arguments.output)));
  if (form == Form::page && !arguments.no_open && !named) open_in_browser(arguments.output);
}

}  // namespace view_command

void add_view(Command app) {
  using namespace view_command;
  const Command command =
      app.add_subcommand("view", "Show a model or a program as a page in the browser, or draw it");
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("FILE", arguments->files, "ONNX model, TorchScript or torch.export program; or a program and its model")
      .required()
      .type_name("");
  command
      .add_option("-o,--output", arguments->output,
                  "The file to write: .html, .svg, .png, .dot or .json.\nDefault: the name of the first file with .html, which\n"
                  "is then opened in the browser")
      .option_text("FILE");
  command.add_flag("--no-open", arguments->no_open, "Do not open the page");
  command
      .add_option("--depth", arguments->options.depth,
                  "Levels of groups that are open in a picture. Default: 1")
      .non_negative()
      .option_text("N");
  command.add_option("--only", arguments->options.only, "The module or scope to draw, by its path").option_text("MODULE");
  command
      .add_option("--weights", arguments->weights,
                  "Weights whose statistics are computed: all or none.\nDefault: up to 1 GB")
      .option_text("WHICH");
  command.add_option("--against", arguments->options.against, "An older ONNX model to compare with").option_text("OLD");
  command
      .add_option("--overlay", arguments->options.overlays,
                  "JSON file with numbers for the nodes, such as a profile\nof ONNX Runtime")
      .repeatable()
      .option_text("FILE");
  command.add_option("--source", arguments->options.source, "A folder with the Python files of the program").option_text("DIR");
  add_program_options(command, arguments->program);
  command.footer(kExamples);
  command.callback([command, arguments] { run(command, *arguments); });
}

}  // namespace cameo::cli
