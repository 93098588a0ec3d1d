#include <algorithm>
#include <limits>
#include <memory>

#include "archive/kind.h"
#include "base/new_file.h"
#include "base/text.h"
#include "cameo/model.h"
#include "cameo/print.h"
#include "cli/command.h"
#include "cli/export_options.h"
#include "cli/terminal.h"

namespace cameo::cli {
namespace print_command {

struct Arguments {
  ExportArguments program;
  PrintStyle style = PrintStyle::onnx;
  std::size_t max_elements = std::numeric_limits<std::size_t>::max();
  std::string output;
};

constexpr const char* kExamples = R"(Styles of an ONNX model:
  onnx       the output of onnx.helper.printable_graph, byte for byte
  text       the textual syntax of ONNX, which onnx.parser reads
  torch      the output of torch.onnx.export(verbose=True) of PyTorch 1.x
  torch-0.3  the output of PyTorch 0.3: parameters first, with the readers of each value
  annotated  the same with comments that explain it

For a TorchScript program, it prints each line with the ONNX nodes that it becomes.

Examples:
  cameo print model.onnx | less
  cameo print model.onnx --style text --max-elements 4
  cameo print model.pt --input 'f32[batch,3,224,224]')";

// Escapes control characters, which a terminal would interpret.
std::string disarmed(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += printable(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

void put(const Arguments& arguments, const std::string& text) {
  if (arguments.output.empty() || arguments.output == "-") return print(text);
  NewFile file(arguments.output);
  file.append(text);
  file.commit();
}

void print_either(Command command, Arguments& arguments) {
  const std::string& path = arguments.program.model;
  const bool to_terminal = arguments.output.empty() && is_terminal(stdout);
  const archive::Kind kind = archive::kind_of(MappedFile::open(path));
  if (kind == archive::Kind::onnx || kind == archive::Kind::unknown) {
    const std::string text = Model(path).print(arguments.style, arguments.max_elements);
    return put(arguments, to_terminal ? disarmed(text) : text);
  }
  if (command.given("--style"))
    throw WrongUsage("--style: applies to ONNX models only; export the program first, or omit this option");
  ExportOptions& options = arguments.program.options;
  options.unroll_loops = iterations_to_unroll(arguments.program);
  options.inputs = parse_inputs(arguments.program.inputs);
  put(arguments, print_program(path, options,
                               {.color = to_terminal && wants_color(stdout),
                                .lines = to_terminal && speaks_utf8(),
                                .width = columns()}));
}

}  // namespace print_command

void add_print(Command app) {
  using namespace print_command;
  const Command command =
      app.add_subcommand("print", "Print the graph of a model, or a program beside its nodes");
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("MODEL", arguments->program.model, "The ONNX model, or the TorchScript program")
      .required()
      .type_name("");
  command
      .add_numbered_choice("--style", arguments->style,
                           {{"onnx", PrintStyle::onnx},
                            {"text", PrintStyle::text},
                            {"torch", PrintStyle::torch},
                            {"torch-0.3", PrintStyle::torch_0_3},
                            {"annotated", PrintStyle::annotated}},
                           "Format of an ONNX model, see below. Default: onnx")
      .option_text("STYLE");
  command
      .add_option("--max-elements", arguments->max_elements,
                  "With --style text: number of elements to show per tensor.\nDefault: all")
      .option_text("N");
  command.add_option("-o,--output", arguments->output, "The file to write. Default: standard output")
      .option_text("FILE");
  add_program_options(command, arguments->program);
  command.footer(kExamples);
  command.callback([command, arguments] { print_either(command, *arguments); });
}

}  // namespace cameo::cli
