#include <fmt/core.h>
#include "base/json.h"
#include "base/sheet.h"
#include "base/text.h"
#include "cameo/model.h"
#include "cli/model_command.h"
#include "cli/terminal.h"

namespace cameo::cli {
namespace stats_command {

constexpr const char* kExamples =
    R"(Multiply-adds are counted for convolutions, matrix products and recurrent networks, for one run.

Examples:
  cameo stats model.onnx          print the counts
  cameo stats model.onnx --json   print JSON)";

std::int64_t shown(std::uint64_t number) {
  return static_cast<std::int64_t>(std::min(number, std::uint64_t{1} << 62U));
}

// "1,234*batch + 5".
std::string formula(const std::vector<MultiplyAddTerm>& terms) {
  if (terms.empty()) return "0";
  std::vector<std::string> texts;
  for (const MultiplyAddTerm& term : terms) {
    std::string text = grouped(shown(term.factor));
    for (const std::string& size : term.sizes) {
      const bool compound = size.find_first_of(" +-*/(") != size.npos;
      text += compound ? fmt::format("*({})", printable(size)) : "*" + printable(size);
    }
    texts.push_back(std::move(text));
  }
  return join(texts, " + ");
}

class Page : private Sheet {
 public:
  Page(const ModelArguments& arguments, const ModelStats& stats)
      : Sheet({wants_color(stdout), false}), arguments_(arguments), stats_(stats) {}

  std::string draw() {
    line("{}  ONNX model\n", style_(Ink::title, printable(arguments_.model)));
    fact("parameters", grouped(shown(stats_.parameters)));
    fact("bytes", bytes_text(stats_.bytes));
    if (stats_.external_bytes > 0) fact("external", bytes_text(stats_.external_bytes));
    fact("work", formula(stats_.multiply_adds) + " multiply-adds" +
                     (stats_.uncounted.empty() ? "" : ", and more, see below"));
    line("\n{}  {}", style_(Ink::title, "Operators"), plural(stats_.nodes, "node"));
    counted(stats_.operators, columns());
    if (!stats_.weights.empty()) line("\n{}", style_(Ink::title, "Parameters by type"));
    for (const WeightStats& weights : stats_.weights)
      fact(name(weights.type),
           fmt::format("{}, {}", grouped(shown(weights.elements)), bytes_text(weights.bytes)));
    if (!stats_.uncounted.empty()) line("\n{}  multiply-adds of these", style_(Ink::title, "Not counted"));
    for (const UncountedOperator& each : stats_.uncounted)
      line("  {} {}: {}", grouped(each.nodes), each.op, each.why);
    return std::move(out_);
  }

 private:
  const ModelArguments& arguments_;
  const ModelStats& stats_;
};

Json json_of(const ModelStats& stats) {
  Json json = {{"nodes", stats.nodes},
               {"operators", Json::object()},
               {"parameters", stats.parameters},
               {"bytes", stats.bytes},
               {"external_bytes", stats.external_bytes},
               {"weights", Json::object()},
               {"multiply_adds", Json::array()},
               {"uncounted", Json::array()}};
  for (const auto& [name, count] : stats.operators) json["operators"][name] = count;
  for (const WeightStats& each : stats.weights)
    json["weights"][std::string(name(each.type))] = {{"elements", each.elements}, {"bytes", each.bytes}};
  for (const MultiplyAddTerm& term : stats.multiply_adds)
    json["multiply_adds"].push_back({{"factor", term.factor}, {"sizes", term.sizes}});
  for (const UncountedOperator& each : stats.uncounted)
    json["uncounted"].push_back({{"operator", each.op}, {"nodes", each.nodes}, {"why", each.why}});
  return json;
}

void run(const ModelArguments& arguments) {
  const ModelStats stats = Model(arguments.model).stats();
  if (arguments.json)
    print_json(json_of(stats));
  else
    print(Page(arguments, stats).draw());
}

}  // namespace stats_command

void add_stats(Command app) {
  using namespace stats_command;
  add(app, {.name = "stats",
            .doc = "Count the operators, parameters and multiply-adds of an ONNX model",
            .examples = kExamples,
            .run = run});
}

}  // namespace cameo::cli
