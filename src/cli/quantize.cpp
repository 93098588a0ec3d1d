#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <fmt/core.h>
#include "base/style.h"
#include "base/text.h"
#include "cameo/array.h"
#include "cameo/calibrate.h"
#include "cameo/model.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/quantize_options.h"
#include "cli/terminal.h"
#include "cli/verify_text.h"

namespace cameo::cli {
namespace quantize_command {

struct Arguments {
  std::string model, output;
  QuantizeArguments options;
  std::string data;
  CalibrateOptions calibration;
  bool json = false;
};

constexpr const char* kExamples =
    R"(TYPE is int8, uint8, int4 or uint4, and BLOCK the number of elements that share a scale. Without BLOCK, weights
of 8 bits have one scale for each output channel, and those of 4 bits have blocks of 32.
PATTERN is compared with the operator of a node, its name, its module, the modules around it, and the name of
its weight; * stands for any characters, and ? for one.

Examples:
  cameo quantize m.onnx -o small.onnx                                  weights in 8 bits
  cameo quantize m.onnx -o small.onnx --weights int4:32 --opset 21     weights in 4 bits
  cameo quantize m.onnx -o small.onnx --weights uint4:128 --form matmulnbits
  cameo quantize m.onnx -o small.onnx --search --keep 'lm_head*'       smaller errors, one part in float
  cameo quantize m.onnx -o int8.onnx --calibrate samples.npz           activations in 8 bits, too
  cameo quantize m.onnx -o int8.onnx --calibrate folder --method entropy)";

double percentile(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || !(number > 0 && number <= 100))
    throw WrongUsage("--percentile: '" + printable(text) + "' is not a number from 0 to 100");
  return number;
}

std::string table(const Quantized& done) {
  std::size_t width = 6;
  for (const QuantizedWeight& each : done.weights)
    width = std::max(width, display_width(printable(each.name)));
  std::string text = fmt::format("{}  {:<13}  {:>9}  {:>9}  {:>9}  {:>9}  {:>8}\n", fill("weight", width),
                                 "operator", "before", "after", "max error", "mean", "relative");
  for (const QuantizedWeight& each : done.weights)
    text += fmt::format("{}  {:<13}  {:>9}  {:>9}  {:>9.3g}  {:>9.3g}  {:>8.3g}\n",
                        fill(printable(each.name), width), printable(each.op), bytes_text(each.bytes_before),
                        bytes_text(each.bytes_after), each.largest, each.mean, each.relative);
  return text;
}

Json json_of(const Quantized& done, const std::vector<VerifiedOutput>& outputs, std::uint64_t bytes) {
  Json weights = Json::array();
  for (const QuantizedWeight& each : done.weights)
    weights.push_back({{"name", each.name},
                       {"node", each.node},
                       {"operator", each.op},
                       {"shape", each.shape},
                       {"from", std::string(name(each.from))},
                       {"to", std::string(name(each.to))},
                       {"bytes", {{"before", each.bytes_before}, {"after", each.bytes_after}}},
                       {"error", {{"max", each.largest}, {"mean", each.mean}, {"relative", each.relative}}}});
  Json json = {{"weights", std::move(weights)}, {"activations", done.activations}, {"bytes", bytes}};
  for (const VerifiedOutput& each : outputs)
    json["outputs"][each.name] = {{"absolute", each.absolute}, {"relative", each.relative}};
  return json;
}

void run(Arguments& arguments) {
  arguments.output = output_path(arguments.output);
  QuantizeOptions options = arguments.options.options();
  const bool calibrated = !arguments.data.empty();
  if (calibrated && is_stream(arguments.output))
    throw WrongUsage("--calibrate reads the new model: name a regular file with -o");
  if (calibrated) options.ranges = calibrate(arguments.model, arguments.data, arguments.calibration);
  const Quantized done = Model(arguments.model).quantize(options);
  const SavedModel saved = done.model.save(arguments.output);
  const std::uint64_t bytes = saved.bytes + saved.external_bytes;
  std::vector<VerifiedOutput> outputs;
  if (calibrated) outputs = compare_on(arguments.data, arguments.model, arguments.output);
  if (arguments.json) return print_json(json_of(done, outputs, bytes), text_stream(arguments.output));
  std::string text = table(done);
  if (calibrated)
    text += fmt::format("{}, against float on the calibration data:\n{}",
                        plural(done.activations, "quantised activation"),
                        outputs_text(outputs, Style(wants_color(stdout), false)));
  print(text + fmt::format("{}: {}, {}\n", arguments.output,
                           plural(std::ssize(done.weights), "quantised weight"), bytes_text(bytes)),
        text_stream(arguments.output));
}

void add_calibration(Command command, Arguments& arguments) {
  using Method = CalibrateOptions::Method;
  QuantizeOptions& options = arguments.options.quantize;
  command
      .add_option(
          "--calibrate", arguments.data,
          "Quantise activations, too, with ranges from samples: a .npz file, a .pt file with a list of "
          "tensors, or a folder of .npz, .npy or .pt files")
      .option_text("DATA");
  command.add_choice(
      "--method", arguments.calibration.method,
      {{"minmax", Method::min_max}, {"entropy", Method::entropy}, {"percentile", Method::percentile}},
      "The ranges: all elements (minmax, default), the most telling ones, or a share of them");
  command
      .add_value(
          "--percentile",
          [&arguments](const std::string& text) { arguments.calibration.percentile = percentile(text); },
          "The share of elements within the range. Default: 99.99")
      .option_text("P");
  command.add_choice("--activations", options.activations,
                     {{"uint8", ElementType::u8}, {"int8", ElementType::i8}},
                     "The type of activations. Default: uint8");
  command.add_flag("--symmetric-activations", options.symmetric_activations,
                   "The zero point of activations is the middle of the range");
  command.add_flag("--full-range", options.full_range,
                   "With --calibrate, weights of int8 take 8 bits instead of 7: for processors with VNNI");
}

}  // namespace quantize_command

void add_quantize(Command app) {
  using namespace quantize_command;
  const Command command = app.add_subcommand("quantize", "Write an ONNX model whose weights are integers");
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("MODEL", arguments->model, "The ONNX model").required().type_name("");
  command.add_option("-o,--output", arguments->output, "The file to write").required().option_text("FILE");
  add_quantize_options(command, arguments->options);
  add_calibration(command, *arguments);
  command.add_flag("--json", arguments->json, "Print the table as JSON");
  command.footer(kExamples);
  command.callback([arguments] { run(*arguments); });
}

}  // namespace cameo::cli
