#include <cstdio>
#include <memory>

#include <fmt/core.h>
#include "base/style.h"
#include "cameo/format.h"
#include "cameo/model.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/terminal.h"

namespace cameo::cli {
namespace extract_command {

struct Arguments {
  std::string model, output;
  ExtractOptions options;
};

constexpr const char* kExamples =
    R"(NAME is the name of a value or of a node, as cameo print shows it. A node after --from or --to is part of
the new model: its inputs become inputs, or its outputs become outputs.

Examples:
  cameo extract m.onnx -o part.onnx --from x1 --to y1      the nodes that compute y1 from x1
  cameo extract m.onnx -o head.onnx --to /conv1/Conv       the nodes up to and including a node
  cameo extract m.onnx -o seen.onnx --add-output relu_1    the whole model with one more output
  cameo extract m.onnx -o seen.onnx --all-outputs          the whole model with all values as outputs)";

void run(Arguments& arguments) {
  arguments.output = output_path(arguments.output);
  const Extracted done = Model(arguments.model).extract(arguments.options);
  const SavedModel saved = done.model.save(arguments.output);
  std::fputs(format(done.warnings, {.color = wants_color(stderr)}).c_str(), stderr);
  std::string text = fmt::format("{}: {} of {} nodes, {}", arguments.output, done.nodes, done.nodes_before,
                                 bytes_text(saved.bytes));
  if (saved.external_bytes > 0)
    text += fmt::format(", and {} in {}.data", bytes_text(saved.external_bytes), arguments.output);
  print(text + "\n", text_stream(arguments.output));
}

void add_list(Command command, const char* option, std::vector<std::string>& names, const char* help) {
  command.add_option(option, names, help).delimiter(',').repeatable().option_text("NAME,...");
}

}  // namespace extract_command

void add_extract(Command app) {
  using namespace extract_command;
  const Command command =
      app.add_subcommand("extract", "Write a part of an ONNX model, or a model with more outputs");
  const auto arguments = std::make_shared<Arguments>();
  ExtractOptions& options = arguments->options;
  command.add_option("MODEL", arguments->model, "The ONNX model").required().type_name("");
  command.add_option("-o,--output", arguments->output, "The file to write").required().option_text("FILE");
  add_list(command, "--from", options.from, "Where the part begins. Default: the model's inputs");
  add_list(command, "--to", options.to, "Where the part ends. Default: the model's outputs");
  add_list(command, "--add-output", options.add_outputs, "Intermediate values that become outputs, too");
  command.add_flag("--all-outputs", options.all_outputs, "All values become outputs");
  command.footer(kExamples);
  command.callback([arguments] { run(*arguments); });
}

}  // namespace cameo::cli
