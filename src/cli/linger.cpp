#include <memory>

#include <fmt/core.h>
#include "base/style.h"
#include "base/text.h"
#include "cameo/model.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/terminal.h"

namespace cameo::cli {
namespace linger_command {

struct Arguments {
  std::string model, output;
  LingerOptions options;
};

constexpr const char* kExamples =
    R"(The model is one that modules of linger were exported to, with floating-point weights: the file that torch.onnx
or cameo.export writes. In Python, cameo.linger.export does both steps.

Examples:
  cameo linger raw.onnx -o model.onnx
  cameo linger raw.onnx -o model.onnx --quantized-io    outputs stay integers)";

void run(Arguments& arguments) {
  arguments.output = output_path(arguments.output);
  const Lingered done = Model(arguments.model).linger(arguments.options);
  const SavedModel saved = done.model.save(arguments.output);
  print(fmt::format("{}: {}, {}, {}\n", arguments.output, plural(done.weights, "quantised weight"),
                    plural(done.dequants, "Dequant node"), bytes_text(saved.bytes + saved.external_bytes)),
        text_stream(arguments.output));
}

}  // namespace linger_command

void add_linger(Command app) {
  using namespace linger_command;
  const Command command =
      app.add_subcommand("linger", "Quantise the weights of a model that linger's modules made");
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("MODEL", arguments->model, "The ONNX model").required().type_name("");
  command.add_option("-o,--output", arguments->output, "The file to write").required().option_text("FILE");
  command.add_flag("--quantized-io", arguments->options.quantized_io,
                   "Quantised outputs stay integers, and so do inputs without a Quant node");
  command.add_flag("--functions", arguments->options.functions,
                   "Add functions for the operators of version 3, so that ONNX Runtime runs the model");
  command.footer(kExamples);
  command.callback([arguments] { run(*arguments); });
}

}  // namespace cameo::cli
