#include <memory>

#include <CLI/CLI.hpp>

#include "cameo/model.h"
#include "cli/command.h"
#include "cli/terminal.h"

namespace cameo::cli {
namespace {

struct Arguments {
  std::string model;
  PrintStyle style = PrintStyle::onnx;
};

constexpr const char* kExamples = R"(Styles:
  onnx   as onnx.helper.printable_graph, byte for byte

Example:
  cameo print model.onnx | less)";

}  // namespace

void add_print(CLI::App& app) {
  CLI::App* command = app.add_subcommand("print", "Print the graph of an ONNX model");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("MODEL", arguments->model, "The ONNX model")->required()->type_name("");
  const std::map<std::string, PrintStyle> styles = {{"onnx", PrintStyle::onnx}};
  command->add_option("--style", arguments->style, "How, see below. Default: onnx")
      ->transform(CLI::CheckedTransformer(styles).description(""))
      ->option_text("STYLE");
  command->footer(kExamples);
  command->callback([arguments] { print(print_model(arguments->model, arguments->style)); });
}

}  // namespace cameo::cli
