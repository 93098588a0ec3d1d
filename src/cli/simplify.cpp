#include <algorithm>
#include <filesystem>
#include <memory>

#include <unistd.h>

#include <fmt/core.h>
#include "base/diagnostic_json.h"
#include "base/json.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "cameo/format.h"
#include "cameo/model.h"
#include "cameo/view.h"
#include "cli/browser.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/rule_options.h"
#include "cli/terminal.h"
#include "rewrite/log.h"
#include "runtime/compare.h"

namespace cameo::cli {
namespace simplify_command {

struct Arguments {
  std::string model, output, view;
  std::vector<std::string> inputs, rewrites;
  SimplifyOptions options;
  int verify = 0;
  bool json = false;
};

constexpr double kTolerance = 1e-5;  // of the largest element

constexpr const char* kExamples = R"(Examples:
  cameo simplify model.onnx -o small.onnx              simplify, and list the removed nodes
  cameo simplify model.onnx -o small.onnx --verify     run both models, and write if they agree
  cameo simplify model.onnx -o small.onnx --input x=1,3,224,224   fix the sizes of an input
  cameo simplify model.onnx -o small.onnx --only fold-batch-norm --only remove-dead
  cameo simplify model.onnx --explain /bn/BatchNormalization   say why the rules keep a node
  cameo simplify --list                                list the rules)";

struct Total {
  std::int64_t before = 0, after = 0;
};

Total total(const Simplified& report) {
  Total sum;
  for (const OperatorChange& each : report.operators) {
    sum.before += each.before;
    sum.after += each.after;
  }
  return sum;
}

std::string table(const Simplified& report) {
  std::size_t width = 8;
  for (const OperatorChange& each : report.operators)
    if (each.before != each.after) width = std::max(width, each.op.size());
  std::string text = fmt::format("{:<{}}  before  after\n", "operator", width);
  for (const OperatorChange& each : report.operators)
    if (each.before != each.after)
      text += fmt::format("{:<{}}  {:>6}  {:>5}\n", printable(each.op), width, each.before, each.after);
  const Total sum = total(report);
  return text + fmt::format("{:<{}}  {:>6}  {:>5}\n", "total", width, sum.before, sum.after);
}

std::string assumptions(const Simplified& report) {
  std::string text;
  for (const std::string& each : report.assumptions) text += fmt::format("assumed: {}\n", printable(each));
  return text;
}

std::string rewrites(const Simplified& report) {
  std::string text;
  for (const std::string& line : rewrite::lines(report.rewrites)) text += printable(line) + "\n";
  return text.empty() ? text : "rewrites\n" + text;
}

std::string advice(const Simplified& report) {
  if (!report.with_folded_inputs) return {};
  return fmt::format("--fold-inputs would leave {} nodes: inputs with a default value become constants\n",
                     *report.with_folded_inputs);
}

std::string explanation(const NodeExplanation& explained) {
  std::string text = fmt::format("{} '{}'\n", printable(explained.op), printable(explained.node));
  std::size_t width = 0;
  for (const RuleOutcome& each : explained.rules) width = std::max(width, each.rule.size());
  for (const RuleOutcome& each : explained.rules)
    text += fmt::format("  {:<{}}  {}\n", each.rule, width, each.applied ? "applied" : each.reason);
  if (!explained.rules.empty()) return text;
  return text + (explained.reached_rules ? "  no rule looks at this operator\n"
                                         : "  it was folded, shared or removed before the rules\n");
}

std::string verdict(const runtime::Comparison& comparison) {
  std::string text;
  for (const runtime::Difference& each : comparison.differences)
    text += fmt::format("output '{}': largest difference {:.2g} of its largest element\n",
                        printable(each.output), each.largest);
  return text + fmt::format("compared on {} inputs\n", comparison.runs);
}

Json json_of(const Simplified& report, const std::optional<runtime::Comparison>& comparison) {
  const Total sum = total(report);
  Json json = {{"nodes", {{"before", sum.before}, {"after", sum.after}}}};
  for (const OperatorChange& each : report.operators)
    json["operators"][each.op] = {{"before", each.before}, {"after", each.after}};
  if (report.explained) {
    Json outcomes = Json::object();
    for (const RuleOutcome& each : report.explained->rules)
      outcomes[each.rule] = each.applied ? "applied" : each.reason;
    json["explained"] = {{"node", report.explained->node}, {"op", report.explained->op}, {"rules", outcomes}};
  }
  json["rules"] = Json::object();
  for (const auto& [name, times] : report.applied) json["rules"][name] = times;
  if (!report.rewrites.empty()) json["rewrites"] = rewrite::to_json(report.rewrites);
  json["assumptions"] = report.assumptions;
  json["diagnostics"] = to_json(report.warnings);
  if (report.with_folded_inputs) json["nodes"]["with_folded_inputs"] = *report.with_folded_inputs;
  if (!comparison) return json;
  json["verified"] = {{"runs", comparison->runs}, {"differences", Json::object()}};
  for (const runtime::Difference& each : comparison->differences)
    json["verified"]["differences"][each.output] = each.largest;
  return json;
}

// A temporary model beside the output, or in a temporary folder if the output is a stream. It exists until the
// comparison is complete.
class Trial {
 public:
  explicit Trial(const std::string& output) {
    if (is_stream(output)) folder_.emplace();
    path_ = folder_ ? folder_->file("model.onnx") : fmt::format("{}.{}.trial", output, ::getpid());
  }
  ~Trial() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    std::filesystem::remove(path_ + ".data", ignored);
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::optional<TemporaryFolder> folder_;
  std::string path_;
};

runtime::Comparison verified(const Simplified& simplified, const Arguments& arguments) {
  const Trial trial(arguments.output);
  simplified.model.save(trial.path());
  runtime::Comparison comparison = runtime::compare(arguments.model, trial.path(), arguments.verify);
  if (comparison.largest() <= kTolerance) return comparison;
  throw Error(Diagnostic{.code = Code::simplified_differs,
                         .message = "the simplified model computes other results than the original",
                         .file = arguments.model,
                         .notes = {verdict(comparison)},
                         .hint = "nothing was written; --stop-after N finds the faulty rule"});
}

// "x=1,3,224,224"
std::pair<std::string, std::vector<std::int64_t>> input_shape(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  std::pair<std::string, std::vector<std::int64_t>> result{text.substr(0, equals), {}};
  if (equals == std::string::npos) throw WrongUsage("--input: write NAME=1,3,224,224");
  for (std::size_t at = equals + 1; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string size = text.substr(at, end - at);
    at = end + 1;
    if (size.empty()) continue;
    std::int64_t number = 0;
    if (!parse_integer(size, number))
      throw WrongUsage("--input: '" + printable(size) + "' is not a valid size");
    result.second.push_back(number);
  }
  return result;
}

void write_view(const Arguments& arguments, const Simplified& report) {
  ViewOptions options;
  options.against = arguments.model;
  options.rules = report.rules;
  write_page(arguments.view, {arguments.output}, options);
}

void run(Arguments& arguments) {
  for (const std::string& input : arguments.inputs)
    arguments.options.input_shapes.push_back(input_shape(input));
  arguments.output = output_path(arguments.output);
  std::FILE* const to = text_stream(arguments.output);
  const bool explain = !arguments.options.explain.empty();
  if (arguments.output.empty() && (!explain || arguments.verify > 0))
    throw WrongUsage("--output is required");
  if (!arguments.view.empty() && (arguments.output.empty() || is_stream(arguments.output)))
    throw WrongUsage("--view reads the simplified model: name a regular file with -o");
  std::optional<runtime::Comparison> comparison;
  Rewrites rules;
  for (const std::string& file : arguments.rewrites) rules.read(file);
  arguments.options.rewrites = &rules;
  const Simplified report = Model(arguments.model).simplify(arguments.options);
  if (arguments.verify > 0) comparison = verified(report, arguments);
  if (!arguments.output.empty()) report.model.save(arguments.output);
  if (!arguments.view.empty()) write_view(arguments, report);
  if (arguments.json) return print_json(json_of(report, comparison), to);
  std::fputs(format(report.warnings, {.color = wants_color(stderr)}).c_str(), stderr);
  if (report.explained) return print(explanation(*report.explained), to);
  print(table(report) + rewrites(report) + assumptions(report) + advice(report) +
            (comparison ? verdict(*comparison) : ""),
        to);
}

}  // namespace simplify_command

void add_simplify(Command app) {
  using namespace simplify_command;
  const Command command = app.add_subcommand("simplify", "Write an equivalent ONNX model with fewer nodes");
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("MODEL", arguments->model, "The ONNX model").required().type_name("");
  command.add_option("-o,--output", arguments->output, "The file to write").option_text("FILE");
  command
      .add_option("--view", arguments->view,
                  "Also write a page (.html) that shows both models, and\nthe rule that took each node")
      .option_text("FILE");
  command
      .add_option("--input", arguments->inputs, "Fix the sizes of an input, as in x=1,3,224,224; repeatable")
      .repeatable()
      .option_text("NAME=SHAPE");
  command
      .add_option("--rewrite", arguments->rewrites,
                  "A file of rules that replace nodes or modules first; repeatable, see docs/rewrites.md")
      .repeatable()
      .option_text("FILE");
  command.add_option("--target", arguments->options.target, "The runtime that rewriting rules read")
      .option_text("NAME");
  command.add_flag("--fold-inputs", arguments->options.fold_inputs,
                   "Inputs with a default value become constants");
  command
      .add_flag(
          "--verify{3}", arguments->verify,
          "Run both models in ONNX Runtime on N random inputs (3), and write the new model if they agree")
      .option_text("N");
  command
      .add_option("--explain", arguments->options.explain,
                  "Print the rules that looked at a node, and why they did not apply; -o may be left out")
      .option_text("NODE");
  command.add_flag("--json", arguments->json, "Print JSON");
  const RuleChoice choice{.rules = simplify_rules(),
                          .disabled = arguments->options.disabled,
                          .stop_after = arguments->options.stop_after,
                          .list_option = "--list"};
  add_rule_names(command, "--only", arguments->options.only, choice, "Apply only this rule; repeatable");
  add_rule_names(command, "--also", arguments->options.also, choice,
                 "Also apply this rule, which is off by default; repeatable");
  add_rule_options(command, choice);
  command.footer(kExamples);
  command.callback([arguments] { run(*arguments); });
}

}  // namespace cameo::cli
