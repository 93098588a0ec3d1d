#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>

#include <fmt/core.h>
#include "archive/npz.h"
#include "base/style.h"
#include "base/text.h"
#include "calibrate/samples.h"
#include "cameo/format.h"
#include "cameo/model.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "runtime/chain.h"
#include "runtime/compare.h"
#include "runtime/feed.h"

namespace cameo::cli {
namespace split_command {

struct Arguments {
  std::string model, output, data, inputs_of_parts;
  std::vector<std::string> assign;
  int parts = 0;
  std::string max_size;
  SplitOptions options;
  bool verify = false;
};

// In parts of the largest element, as cameo verify has it for 32-bit floats.
constexpr double kTolerance = 1e-5;

constexpr const char* kExamples = R"(CUT is one of these:
  value:NAME,...             behind the nodes that compute these values; NAME may be a node
  module:PATH                before and behind a module, which becomes a part of its own
  mark:FUNCTION[CALL]:input  at a mark: cameo.mark in Python, or a Mark node of MMDeploy; also :output

Examples:
  cameo split m.onnx -o parts --cut module:backbone            the module, and what lies around it
  cameo split m.onnx -o parts --cut value:feat --verify        two parts, compared with the whole model
  cameo split m.onnx -o parts --assign 'npu=backbone.*' --assign 'cpu=*'
  cameo split m.onnx -o parts --parts 4                        four parts of about the same size
  cameo split m.onnx -o parts --max-size 2GB                   parts of at most 2 GB
  cameo split m.onnx -o parts --parts 2 --data samples.npz --inputs-of-parts fed
  cameo run parts/plan.json                                    run the parts one after the other)";

// "2GB", "500MB", "4096".
std::uint64_t size_of(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string unit = end;
  const double factor = unit == "GB" || unit == "G"   ? 1e9
                        : unit == "MB" || unit == "M" ? 1e6
                        : unit == "kB"                ? 1e3
                                                      : 1;
  const bool known = factor != 1 || unit.empty() || unit == "B";
  if (end == text.c_str() || !known || !(number > 0) || number * factor > 1e18)
    throw WrongUsage(fmt::format("--max-size: '{}' is not a size such as 2GB or 500MB", printable(text)));
  return static_cast<std::uint64_t>(number * factor);
}

void read_options(Arguments& arguments) {
  SplitOptions& options = arguments.options;
  for (const std::string& text : arguments.assign) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos || equals == 0 || equals + 1 == text.size())
      throw WrongUsage(fmt::format("--assign: '{}' is not TARGET=PATTERN", printable(text)));
    options.assign.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  options.parts = static_cast<std::size_t>(arguments.parts);
  if (!arguments.max_size.empty()) options.max_size = size_of(arguments.max_size);
  const int ways = (options.cuts.empty() ? 0 : 1) + (options.assign.empty() ? 0 : 1) +
                   (options.parts > 0 ? 1 : 0) + (options.max_size > 0 ? 1 : 0);
  if (ways != 1) throw WrongUsage("say how to split: --cut, --assign, --parts or --max-size");
}

std::string list_of(const std::vector<std::string>& names) { return printable(join(names, ", ")); }

std::string table(const Split& split, const std::vector<SavedModel>& saved) {
  std::string text;
  for (std::size_t i = 0; i < saved.size(); ++i) {
    const SplitPart& part = split.parts[i];
    std::vector<std::string> inputs;
    for (const SplitFeed& feed : part.inputs) inputs.push_back(feed.name);
    text += fmt::format("{}.onnx: {}, {}\n  {} -> {}\n", printable(part.name), plural(part.nodes, "node"),
                        bytes_text(saved[i].bytes + saved[i].external_bytes), list_of(inputs),
                        list_of(part.outputs));
  }
  return text;
}

void store(const std::string& folder, const model::PlanPart& part, const std::vector<Session::Feed>& feeds,
           std::size_t sample) {
  NamedArrays arrays;
  for (const auto& [name, datum] : feeds) arrays.emplace_back(name, datum.tensor());
  const std::filesystem::path path = std::filesystem::path(folder) / part.name;
  std::error_code fault;
  std::filesystem::create_directories(path, fault);  // save_npz says what is wrong
  save_npz((path / fmt::format("{:06}.npz", sample)).string(), arrays);
}

// The whole model; one whose marks were replaced differs from its file.
Session session_of(const Arguments& arguments, const Split& split) {
  const std::string bytes = split.marked ? split.whole.to_bytes() : std::string();
  return split.marked ? Session(std::as_bytes(std::span(bytes))) : Session(arguments.model);
}

// Runs the parts on the samples, or on random inputs.
std::string run_parts(const Arguments& arguments, const Split& split) {
  const std::string folder = std::filesystem::path(arguments.output) / "plan.json";
  const runtime::Chain chain(folder);
  std::optional<Session> whole;
  if (arguments.verify) whole = session_of(arguments, split);
  double most = 0;
  std::size_t samples = 0;
  const auto sample = [&](const std::vector<Session::Feed>& feeds) {
    const std::vector<Datum> got = chain.run(feeds, {}, [&](const model::PlanPart& part, const auto& fed) {
      if (!arguments.inputs_of_parts.empty()) store(arguments.inputs_of_parts, part, fed, samples);
    });
    ++samples;
    if (!whole) return;
    const std::vector<Datum> expected = whole->run(feeds, chain.outputs());
    for (std::size_t i = 0; i < got.size(); ++i)
      most = std::max(most, runtime::distance(expected[i], got[i]));
  };
  if (arguments.data.empty())
    sample(runtime::make_feeds(chain.inputs(), {}));
  else
    calibration::each_sample(arguments.data, chain.inputs(), sample);
  if (most > kTolerance)
    throw Error(
        Diagnostic{.code = Code::split_differs,
                   .message = fmt::format("the parts give other results than the whole model: {:.3g} of the "
                                          "largest element",
                                          most),
                   .file = folder,
                   .hint = "operators of random numbers differ in each run"});
  std::string text;
  if (arguments.verify)
    text += fmt::format("verified: the parts agree with the whole model on {} (difference {:.3g})\n",
                        plural(samples, "sample"), most);
  if (!arguments.inputs_of_parts.empty())
    text += fmt::format("{}: the inputs of each part, {}\n", arguments.inputs_of_parts,
                        plural(samples, "sample"));
  return text;
}

void run(Arguments& arguments) {
  read_options(arguments);
  const Split split = Model(arguments.model).split(arguments.options);
  const std::vector<SavedModel> saved = split.save(arguments.output);
  std::fputs(format(split.warnings, {.color = wants_color(stderr)}).c_str(), stderr);
  std::string text = table(split, saved);
  if (arguments.verify || !arguments.inputs_of_parts.empty()) text += run_parts(arguments, split);
  print(text);
}

}  // namespace split_command

void add_split(Command app) {
  using namespace split_command;
  const Command command =
      app.add_subcommand("split", "Write the parts of an ONNX model as models of their own");
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("MODEL", arguments->model, "The ONNX model").required().type_name("");
  command.add_option("-o,--output", arguments->output, "The folder to write")
      .required()
      .option_text("FOLDER");
  command.add_option("--cut", arguments->options.cuts, "Cut here; may be given several times")
      .repeatable()
      .option_text("CUT");
  command
      .add_option("--assign", arguments->assign,
                  "Nodes for a target: those of a module, an operator or a name. The first match\ndecides")
      .repeatable()
      .option_text("TARGET=PATTERN");
  command.add_option("--parts", arguments->parts, "So many parts of about the same size")
      .positive()
      .option_text("N");
  command.add_option("--max-size", arguments->max_size, "Parts of at most this size: 2GB, 500MB")
      .option_text("SIZE");
  command.add_flag("--verify", arguments->verify,
                   "Run the parts, and compare with the whole model in ONNX Runtime");
  command
      .add_option("--data", arguments->data,
                  "Inputs for --verify and --inputs-of-parts: a .npz file, or a folder of .npz or\n"
                  ".npy files. Default: random inputs")
      .option_text("DATA");
  command
      .add_option("--inputs-of-parts", arguments->inputs_of_parts,
                  "Store what each part is fed, as cameo quantize --calibrate reads it")
      .option_text("FOLDER");
  command.footer(kExamples);
  command.callback([arguments] { run(*arguments); });
}

}  // namespace cameo::cli
