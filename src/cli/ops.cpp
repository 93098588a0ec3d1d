#include <iterator>
#include <memory>
#include <optional>

#include <fmt/core.h>

#include "cameo/ops.h"
#include "cameo/opset.h"
#include "cli/command.h"
#include "cli/terminal.h"

namespace cameo::cli {
namespace ops_command {

struct Arguments {
  std::vector<std::string> names;
  std::string word, program;
  std::vector<std::string> onnx;
  int added_in = 0;
  bool markdown = false;
  OpsOptions options;
  OpsFormat format;
};

constexpr const char* kExamples = R"(Examples:
  cameo ops asinh --opset 9                       show the nodes of an operator at opset 9
  cameo ops --explain upsample_bicubic2d          show where each argument is used
  cameo ops __rshift__ --dtype u8                 show the nodes for tensors of u8
  cameo ops --grep bicubic                        list the operators that contain a word
  cameo ops --scan model.pt --opset 11            list the operators that a program calls
  cameo ops --onnx Resize --opset 11              show an ONNX operator
  cameo ops --added-in 11                         list the operators that an opset added)";

void run(Arguments& arguments) {
  const OpsOptions& options = arguments.options;
  const OpsFormat& format = arguments.format;
  arguments.format.color = wants_color(stdout);
  if (arguments.markdown) return print(operators_markdown());
  if (!arguments.word.empty()) return print(search_operators(arguments.word, options, format));
  if (!arguments.onnx.empty()) return print(describe_onnx_operators(arguments.onnx, options, format));
  if (arguments.added_in != 0) return print(describe_opset(arguments.added_in, format));
  if (!arguments.program.empty()) {
    const OperatorScan scan = scan_operators(arguments.program, options, format);
    print(scan.text);
    if (!scan.converts) throw Exit(kInputAtFault);
    return;
  }
  if (arguments.names.empty()) return print(summarize_operators(options, format));
  print(describe_operators(arguments.names, options, format));
}

}  // namespace ops_command

void add_ops(Command app) {
  using namespace ops_command;
  const Command command = app.add_subcommand("ops", "Show how PyTorch operators are converted to ONNX");
  const auto arguments = std::make_shared<Arguments>();
  OpsOptions& options = arguments->options;
  const Option names = command.add_option("NAME", arguments->names, "Operators: aten::add, add, add.Tensor")
                           .option_text("...");
  const Option grep =
      command
          .add_option("--grep", arguments->word, "List operators whose name, nodes or notes contain the word")
          .option_text("WORD");
  const Option scan =
      command.add_option("--scan", arguments->program, "List the operators that a saved program calls")
          .option_text("MODEL");
  const Option onnx =
      command.add_option("--onnx", arguments->onnx, "Show ONNX operators: versions, inputs, types")
          .option_text("NAME...");
  const Option added =
      command.add_option("--added-in", arguments->added_in, "List the operators that an opset added")
          .option_text("OPSET");
  const Option markdown =
      command.add_flag("--markdown", arguments->markdown, "Print all operators as a page: docs/operators.md")
          .option_text(" ");
  const Option questions[] = {names, grep, scan, onnx, added, markdown};
  for (std::size_t i = 0; i < std::size(questions); ++i)
    for (std::size_t j = 0; j < i; ++j) questions[i].excludes(questions[j]);
  command.add_option("--opset", options.opset, fmt::format("Use this opset, {} to {}", kMinOpset, kMaxOpset))
      .type_name("N");
  command.add_option("--dtype", options.dtype, "Use tensors of this type").type_name("TYPE");
  command.add_option("--arg", options.arguments, "Use this argument: self=f32[2,n], dim=1; repeatable")
      .repeatable()
      .type_name("NAME=VALUE");
  command.add_flag("--explain", arguments->format.explain, "Show each node, and where each argument is used");
  command.add_flag("--json", arguments->format.json, "Print JSON");
  command.footer(kExamples);
  command.callback([arguments] { run(*arguments); });
}

}  // namespace cameo::cli
