#include <algorithm>
#include <memory>

#include <fmt/core.h>
#include "base/json.h"
#include "base/style.h"
#include "base/text.h"
#include "cameo/model.h"
#include "cli/command.h"
#include "cli/terminal.h"

namespace cameo::cli {
namespace diff_command {

using Kind = ModelDifference::Kind;

struct Arguments {
  std::string a, b;
  DiffOptions options;
  bool json = false;
};

constexpr const char* kExamples =
    R"(Producers, documentation, metadata, names of nodes and types of intermediate values are ignored.
The exit code is 0 if the models are equal, and 1 if they differ or cannot be read.

Examples:
  cameo diff a.onnx b.onnx               list all differences
  cameo diff a.onnx b.onnx --structure   ignore names and weights
  cameo diff a.onnx b.onnx --json        print JSON)";

struct Word {
  Kind kind;
  std::string_view sign, word;
};
constexpr Word kWords[] = {{Kind::removed, "-", "removed"},
                           {Kind::added, "+", "added"},
                           {Kind::changed, "~", "changed"},
                           {Kind::renamed, "=", "renamed"}};
const Word& word(Kind kind) { return *std::ranges::find(kWords, kind, &Word::kind); }

// "2 nodes changed, 1 weight removed", in the order of the list.
std::string summary(const std::vector<ModelDifference>& differences) {
  std::vector<std::pair<const ModelDifference*, std::int64_t>> counts;
  for (const ModelDifference& each : differences) {
    const auto found = std::ranges::find_if(counts, [&each](const auto& count) {
      return count.first->what == each.what && count.first->kind == each.kind;
    });
    if (found == counts.end())
      counts.emplace_back(&each, 1);
    else
      ++found->second;
  }
  std::string text;
  for (const auto& [first, count] : counts)
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", plural(count, first->what), word(first->kind).word);
  return text;
}

std::string line_of(const ModelDifference& each) {
  std::string text = fmt::format("  {} {} {}", word(each.kind).sign, each.what, each.name);
  if (!each.detail.empty()) text += (each.kind == Kind::renamed ? " -> " : ": ") + each.detail;
  return each.where.empty() ? text + "\n" : fmt::format("{}  (in {})\n", text, each.where);
}

std::string text_of(const Arguments& arguments, const std::vector<ModelDifference>& differences) {
  const std::string both = fmt::format("{} and {}", printable(arguments.a), printable(arguments.b));
  const bool structure = arguments.options.structure;
  if (differences.empty())
    return fmt::format("{} {}\n", both, structure ? "have the same structure" : "are equal");
  std::string text =
      fmt::format("{} differ{}: {}\n", both, structure ? " in structure" : "", summary(differences));
  for (const ModelDifference& each : differences) text += line_of(each);
  return text;
}

Json json_of(const std::vector<ModelDifference>& differences) {
  auto list = Json::array();
  for (const ModelDifference& each : differences) {
    auto& entry = list.emplace_back(Json{
        {"kind", word(each.kind).word}, {"what", each.what}, {"name", each.name}, {"detail", each.detail}});
    if (!each.where.empty()) entry["where"] = each.where;
    if (each.absolute) entry["absolute"] = *each.absolute;
    if (each.relative) entry["relative"] = *each.relative;
  }
  return {{"equal", differences.empty()}, {"differences", list}};
}

void run(const Arguments& arguments) {
  const std::vector<ModelDifference> differences =
      Model(arguments.a).diff(Model(arguments.b), arguments.options);
  if (arguments.json)
    print_json(json_of(differences));
  else
    print(text_of(arguments, differences));
  if (!differences.empty()) throw Exit(kInputAtFault);
}

}  // namespace diff_command

void add_diff(Command app) {
  using namespace diff_command;
  const Command command = app.add_subcommand("diff", "Compare two ONNX models and list the differences");
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("A", arguments->a, "The first model").required().type_name("");
  command.add_option("B", arguments->b, "The second model").required().type_name("");
  command.add_flag("--structure", arguments->options.structure,
                   "Ignore names and the contents of constants, but not\ntheir types and shapes");
  command.add_flag("--json", arguments->json, "Print JSON");
  command.footer(kExamples);
  command.callback([arguments] { run(*arguments); });
}

}  // namespace cameo::cli
