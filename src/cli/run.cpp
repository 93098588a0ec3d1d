#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include <fmt/core.h>
#include "base/index.h"
#include "base/mapped_file.h"
#include "base/npy.h"
#include "base/style.h"
#include "base/text.h"
#include "cameo/session.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "runtime/chain.h"
#include "runtime/feed.h"

namespace cameo::cli {
namespace run_command {

struct Arguments {
  std::string model, npz, output;
  std::vector<std::string> outputs;
  runtime::FeedOptions feed;
  SessionOptions session;
  int repeat = 0;
};

constexpr std::string_view kStandardOutput = "/dev/stdout";

constexpr const char* kExamples = R"(INPUT is one of these:
  x=@x.npy             the array in the file
  x=rand[2,3,10,10]    a generated array: rand, randn, zeros, ones or arange; without [ ] it has
                       the shape of the model
  n=3                  one number for all elements
The name may be omitted. Inputs that are not given are random. Dynamic sizes are 1.

Examples:
  cameo run model.onnx                           run on random inputs
  cameo run model.onnx x=@x.npy -o y.npy         read an array, and write another
  cameo run model.onnx --npz in.npz -o out.npz   read and write all arrays in one file each
  cameo run model.onnx --fetch /conv1/Conv_output_0   also return an intermediate value
  cameo run model.onnx --repeat 100 --threads 1  measure the latency
  cameo run parts/plan.json                      run the parts of a split model)";

std::string summary(const Array& array) {
  std::string text = to_string(array.type(), array.shape());
  if (array.count() == 0) return text;
  if (array.type() == ElementType::string) return fmt::format("{}  {}…", text, printable(array.strings()[0]));
  if (array.type() == ElementType::c64 || array.type() == ElementType::c128 ||
      bits_per_element(array.type()) < 8)
    return text;
  const std::vector<double> numbers = array.to_doubles();
  const std::size_t shown = std::min<std::size_t>(numbers.size(), 6);
  text += "  ";
  for (std::size_t i = 0; i < shown; ++i) text += fmt::format("{}{:.6g}", i == 0 ? "" : ", ", numbers[i]);
  if (shown == numbers.size()) return text;
  const auto [least, most] = std::ranges::minmax_element(numbers);
  double sum = 0;
  for (const double n : numbers) sum += n;
  return fmt::format("{}, …  min {:.6g}, mean {:.6g}, max {:.6g}", text, *least,
                     sum / static_cast<double>(numbers.size()), *most);
}

std::string summary(const MapValue& map) {
  return fmt::format("{}\n   to {}", summary(map.keys), summary(map.values));
}

std::string summary(const Datum& datum) {
  if (datum.is_tensor()) return summary(datum.tensor());
  if (datum.is_map()) return "a map from " + summary(datum.map());
  if (datum.is_map_sequence()) {
    std::string text = fmt::format("a sequence of {} maps", datum.map_sequence().size());
    for (const MapValue& map : datum.map_sequence()) text += "\n      from " + summary(map);
    return text;
  }
  if (!datum.is_sequence()) return "nothing";
  std::string text = fmt::format("a sequence of {}", datum.sequence().size());
  for (const Array& array : datum.sequence()) text += "\n      " + summary(array);
  return text;
}

void show(const Style& style, std::string_view title, const std::vector<Session::Feed>& values,
          std::FILE* to) {
  std::string out = fmt::format("{}\n", style(Ink::title, title));
  for (const auto& [name, datum] : values)
    out += fmt::format("  {} = {}\n", style(Ink::name, printable(name)), summary(datum));
  print(out, to);
}

void save(const std::string& path, const std::vector<Session::Feed>& results) {
  const bool several = path == kStandardOutput && results.size() > 1;
  if (path.ends_with(".npz") || several) {
    NamedArrays arrays;
    for (const auto& [name, datum] : results) arrays.emplace_back(name, datum.tensor());
    save_npz(path, arrays);
  } else if (path.ends_with(".npy") || path == kStandardOutput) {
    if (results.size() != 1)
      throw Error(Diagnostic{
          .code = Code::several_outputs,
          .message = fmt::format("a .npy file holds one array, and there are {} outputs", results.size()),
          .file = path,
          .hint = "name a .npz file, or one output with --output-names"});
    save_npy(path, results.front().second.tensor());
  } else {
    throw Error(Diagnostic{.code = Code::unknown_extension,
                           .message = "outputs are written as .npy or .npz",
                           .file = path,
                           .hint = "end the file's name in .npy or .npz"});
  }
}

std::string latencies(const Session& session, const std::vector<Session::Feed>& feeds,
                      const std::vector<std::string>& outputs, int repeat) {
  std::vector<double> milliseconds;
  for (int i = 0; i < repeat; ++i) {
    const auto start = std::chrono::steady_clock::now();
    session.run(feeds, outputs);
    milliseconds.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::sort(milliseconds);
  const auto percentile = [&](double share) {
    const double place = share * static_cast<double>(milliseconds.size() - 1);
    return element_at(milliseconds, std::lround(place));
  };
  return fmt::format(
      "{} runs: median {:.3f} ms, 90 % {:.3f} ms, 99 % {:.3f} ms, least {:.3f} ms, most {:.3f} ms\n", repeat,
      percentile(0.5), percentile(0.9), percentile(0.99), milliseconds.front(), milliseconds.back());
}

std::vector<std::string> asked_outputs(const Session& session, const Arguments& arguments) {
  std::vector<std::string> names = arguments.outputs;
  if (names.empty())
    for (const ValueInfo& output : session.outputs()) names.push_back(output.name);
  else
    names.insert(names.end(), arguments.session.fetch.begin(), arguments.session.fetch.end());
  return names;
}

// `model` is a Session or a runtime::Chain.
template <class Runs>
std::vector<Session::Feed> results_of(const Runs& model, const std::vector<Session::Feed>& feeds,
                                      const std::vector<std::string>& names) {
  std::vector<Session::Feed> results;
  std::vector<Datum> data = model.run(feeds, names);
  for (std::size_t i = 0; i < data.size(); ++i) results.emplace_back(names[i], std::move(data[i]));
  return results;
}

void report(Arguments& arguments, const std::vector<Session::Feed>& feeds,
            const std::vector<Session::Feed>& results) {
  arguments.output = output_path(arguments.output);
  if (!arguments.output.empty()) save(arguments.output, results);
  std::FILE* const to = text_stream(arguments.output);
  const Style style(wants_color(to), false);
  show(style, "Inputs", feeds, to);
  show(style, "Outputs", results, to);
}

void run_plan(Arguments& arguments) {
  if (!arguments.session.fetch.empty() || arguments.repeat > 0)
    throw WrongUsage("--fetch and --repeat need a model, not a plan");
  const runtime::Chain chain(arguments.model, arguments.session);
  const std::vector<Session::Feed> feeds = runtime::make_feeds(chain.inputs(), arguments.feed);
  report(arguments, feeds,
         results_of(chain, feeds, arguments.outputs.empty() ? chain.outputs() : arguments.outputs));
}

void run(Arguments& arguments) {
  if (!arguments.npz.empty()) arguments.feed.arrays = load_npz(arguments.npz);
  if (arguments.model.ends_with(".json")) return run_plan(arguments);
  MappedFile::open(arguments.model);  // says what is wrong with the path before ONNX Runtime does
  const Session session(arguments.model, arguments.session);
  const std::vector<Session::Feed> feeds = runtime::make_feeds(session.inputs(), arguments.feed);
  const std::vector<std::string> names = asked_outputs(session, arguments);
  report(arguments, feeds, results_of(session, feeds, names));
  if (arguments.repeat > 0)
    print(latencies(session, feeds, names, arguments.repeat), text_stream(arguments.output));
}

void add_list(Command command, const char* option, std::vector<std::string>& names, const char* help) {
  command.add_option(option, names, help).delimiter(',').repeatable().option_text("A,B");
}

}  // namespace run_command

void add_run(Command app) {
  using namespace run_command;
  const Command command = app.add_subcommand("run", "Run an ONNX model in ONNX Runtime");
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("MODEL", arguments->model, "The ONNX model, or a plan.json of cameo split")
      .required()
      .type_name("");
  command.add_option("INPUT", arguments->feed.specs, "The inputs, see below").type_name("");
  command.add_option("--npz", arguments->npz, "Feed the arrays of this file by name").option_text("FILE");
  command
      .add_option("-o,--output", arguments->output,
                  "Write the outputs to FILE.npy or FILE.npz; - is standard output, in\n"
                  "the format .npy for one output and .npz for several")
      .option_text("FILE");
  add_list(command, "--output-names", arguments->outputs, "The outputs to compute. Default: all");
  add_list(command, "--fetch", arguments->session.fetch, "Intermediate values to return, too");
  command.add_option("--seed", arguments->feed.seed, "Seed of the random inputs. Default: 0")
      .option_text("N");
  command.add_option("--repeat", arguments->repeat, "Run N more times and print latencies")
      .positive()
      .option_text("N");
  command.add_option("--threads", arguments->session.threads, "Threads per operator. Default: all")
      .non_negative()
      .option_text("N");
  using Optimization = SessionOptions::Optimization;
  command
      .add_numbered_choice("--opt-level", arguments->session.optimization,
                           {{"0", Optimization::none},
                            {"1", Optimization::basic},
                            {"2", Optimization::extended},
                            {"99", Optimization::all}},
                           "Optimisation level of ONNX Runtime: 0, 1, 2 or 99 (default)")
      .option_text("N");
  command.footer(kExamples);
  command.callback([arguments] { run(*arguments); });
}

}  // namespace cameo::cli
