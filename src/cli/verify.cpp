#include "cameo/verify.h"

#include <charconv>
#include <memory>

#include <fmt/core.h>
#include "cli/browser.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/verify_text.h"

namespace cameo::cli {
namespace verify_command {

struct Arguments {
  std::string program, model;
  std::vector<std::string> sizes;
  VerifyOptions options;
  std::vector<std::string> inputs;
  bool json = false;
  std::string report;
};

constexpr const char* kExamples =
    R"(Inputs have the format of cameo export. An input x=@x.npy is the array of that file; all other
inputs are random. A torch.export program (.pt2) also runs on the inputs that its file holds.

Examples:
  cameo verify model.pt model.onnx               run on random inputs, at several dynamic sizes
  cameo verify model.pt -i 'f32[batch,3,32,32]'  export to a temporary file, and verify it
  cameo verify model.pt model.onnx -i x=@x.npy   run on an array
  cameo verify model.pt model.onnx --size batch=1,4,16 --size width=32,64,96
  cameo verify model.pt model.onnx --per-layer   name the first node that differs
  cameo verify model.pt2                         a torch.export program, on its own inputs
  cameo export model.pt --verify                 export and verify)";

// "batch=1,4"
std::pair<std::string, std::vector<std::int64_t>> parse_size(const std::string& text) {
  const std::size_t equals = text.find('=');
  std::pair<std::string, std::vector<std::int64_t>> out{text.substr(0, equals), {}};
  for (std::size_t at = equals; at < text.size();) {
    const std::size_t end = std::min(text.find(',', ++at), text.size());
    std::int64_t size = -1;
    const auto [parsed, error] = std::from_chars(text.data() + at, text.data() + end, size);
    if (error != std::errc() || parsed != text.data() + end || size < 0) break;
    out.second.push_back(size);
    at = end;
    if (at == text.size()) return out;
  }
  throw Error(Diagnostic{.code = Code::bad_size,
                         .message = fmt::format("'{}' names no sizes", text),
                         .hint = "as in: --size batch=1,4,16"});
}

// The page of `cameo view`, with the errors of all layers.
void write_html(const Arguments& arguments, const VerifyReport& report) {
  ViewOptions options;
  options.program = arguments.options.program;
  ViewOverlay error{.id = "error", .name = "relative error against PyTorch", .unit = "", .values = {}, .limit = arguments.options.tolerance.value_or(1e-5)};
  for (const VerifiedValue& each : report.layers) error.values[each.value] = each.relative;
  options.numbers.push_back(std::move(error));
  std::vector<std::string> files = {arguments.program};
  if (!arguments.model.empty()) files.push_back(arguments.model);
  write_page(arguments.report, files, options);
}

void run(Arguments& arguments) {
  arguments.options.program.inputs = parse_inputs(arguments.inputs);
  for (const std::string& text : arguments.sizes) arguments.options.sizes.push_back(parse_size(text));
  arguments.options.all_layers = !arguments.report.empty() || (arguments.json && arguments.options.per_layer);
  const VerifyReport report = verify_export(arguments.program, arguments.model, arguments.options);
  if (!arguments.report.empty()) write_html(arguments, report);
  print(arguments.json ? verify_json(report) : verify_text(report, Style(wants_color(stdout), false)));
  require_agreement(report, arguments.model.empty() ? arguments.program : arguments.model);
}

}  // namespace verify_command

void add_verify(Command app) {
  using namespace verify_command;
  const Command command =
      app.add_subcommand("verify", "Compare an ONNX model with its PyTorch program, by running both");
  const auto arguments = std::make_shared<Arguments>();
  VerifyOptions& options = arguments->options;
  command.add_option("MODEL", arguments->program, "The saved PyTorch program").required().type_name("");
  command.add_option("ONNX", arguments->model, "The ONNX model. Default: export MODEL").type_name("");
  command.add_option("-i,--input", arguments->inputs, "An argument of the program, see below")
      .repeatable()
      .option_text("SPEC");
  command.add_option("--method", options.program.method, "The method to run. Default: forward")
      .option_text("NAME");
  command.add_option("--dynamic-axes", options.program.dynamic_axes, "As for cameo export")
      .option_text("DICT");
  command.add_option("--opset", options.program.opset, "As for cameo export").option_text("N");
  command.add_option("--size", arguments->sizes, "Values of a dynamic size, one per run.\nDefault: 1, 2, 3")
      .repeatable()
      .option_text("NAME=A,B");
  command.add_option("--seed", options.seed, "Seed of the random inputs. Default: 0").option_text("N");
  command
      .add_option("--tolerance", options.tolerance,
                  "The allowed error, relative to the largest element of an\n"
                  "output. Default: 1e-5, for f16 1e-3, for bf16 1e-2")
      .non_negative()
      .option_text("X");
  command
      .add_option("--load", options.libraries,
                  "A library with operators of the program,\nsuch as torchvision's _C.so")
      .repeatable()
      .option_text("FILE");
  command.add_flag("--per-layer", options.per_layer, "Name the first node that differs; with --json, list the\nerrors of all nodes");
  command.add_option("--report", arguments->report, "Also write a page (.html) that shows the error of each node").option_text("FILE");
  command.add_flag("--json", arguments->json, "Print JSON");
  command.footer(kExamples);
  command.callback([arguments] { run(*arguments); });
}

}  // namespace cameo::cli
