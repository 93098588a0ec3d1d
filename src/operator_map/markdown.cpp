// docs/operators.md, and the summary of `cameo ops` without arguments.
#include <algorithm>
#include <map>
#include <unordered_set>

#include <fmt/core.h>
#include "base/json.h"
#include "base/text.h"
#include "onnx/graph/versions.h"
#include "operator_map/entry.h"
#include "operator_map/table.h"
#include "operator_map/variants.h"

namespace cameo {
namespace {

using operator_map::Operator;
using operator_map::Sizes;

std::size_t count_names(const std::vector<Operator>& all) {
  std::unordered_set<std::string_view> names;
  for (const Operator& op : all) names.insert(op.schema().name);
  return names.size();
}

// Text that may stand in a cell of a table.
std::string cell(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string notes_of(const Operator& op, const operator_map::Conversion& now, int first) {
  std::vector<std::string> notes;
  const int dynamic = op.first_opset(Sizes::dynamic);
  const operator_map::Conversion sized = op.convert(kMaxOpset, Sizes::dynamic);
  if (dynamic == 0)
    notes.push_back("dynamic sizes: " + sized.reason);
  else if (now.nodes.empty() && !sized.nodes.empty())
    notes.push_back(
        fmt::format("dynamic sizes: {}, from opset {}", operator_map::node_list(sized.operators()), dynamic));
  else if (dynamic != first)
    notes.push_back(fmt::format("dynamic sizes from opset {}", dynamic));
  for (const OperatorNote& note : operator_map::limits(operator_map::try_variants(op, kMaxOpset), now).notes)
    notes.push_back(fmt::format("`{}`: {}", note.argument, note.text));
  return cell(join(notes, "; "));
}

std::string row(const Operator& op) {
  const operator_map::Conversion now = op.convert(kMaxOpset);
  const int first = op.first_opset();
  return fmt::format("| `{}` | {} | {} | {} |\n", op.title(), operator_map::node_list(now.operators()), first,
                     notes_of(op, now, first));
}

}  // namespace

std::string operators_markdown() {
  const std::vector<Operator> all = operator_map::all_operators();
  std::string text = fmt::format(
      "# PyTorch's operators in ONNX\n\n"
      "{} operators in {} overloads. This page is printed by `cameo ops --markdown`, which converts a call "
      "of each and\n"
      "looks at the nodes: those of opset {} with known sizes are shown. `cameo ops NAME` shows any other "
      "opset, and\n"
      "`--explain` where each argument goes; see [ops.md](ops.md). In-place forms (`add_`) and `out=` "
      "convert as the\n"
      "plain form does.\n",
      count_names(all), all.size(), kMaxOpset);
  std::string_view family;
  for (const Operator& op : all) {
    if (op.family() != family) {
      family = op.family();
      const auto count =
          std::ranges::count_if(all, [&](const Operator& each) { return each.family() == family; });
      std::string title(family);
      title.front() = static_cast<char>(title.front() - 'a' + 'A');
      text +=
          fmt::format("\n## {} ({})\n\n| operator | ONNX nodes | from opset | notes |\n|---|---|---|---|\n",
                      title, count);
    }
    text += row(op);
  }
  return text;
}

std::string summarize_operators(const OpsOptions& options, const OpsFormat& format) {
  if (options.opset) onnx::check_opset(*options.opset);
  const int opset = options.opset.value_or(kMaxOpset);
  const std::vector<Operator> all = operator_map::all_operators(options);
  std::map<std::string, std::size_t> outcomes;
  for (const Operator& op : all) ++outcomes[operator_map::outcome_of(op.convert(opset))];
  if (format.json) {
    Json counts = Json::object();
    for (const auto& [outcome, count] : outcomes) counts[outcome] = count;
    return Json({{"opset", opset},
                 {"operators", count_names(all)},
                 {"overloads", all.size()},
                 {"outcomes", std::move(counts)}})
        .text();
  }
  std::vector<std::vector<std::string>> rows;
  const std::pair<std::string, std::string> words[] = {
      {"one to one", "become one ONNX node"},
      {"one to many", "become several"},
      {"no node", "become a constant, or nothing"},
      {"no", "do not convert in this opset"},
  };
  for (const auto& [outcome, meaning] : words)
    if (outcomes.contains(outcome)) rows.push_back({std::to_string(outcomes[outcome]), meaning});
  return fmt::format(
      "{} of PyTorch's operators in {} overloads; at opset {}\n\n{}\n{}", count_names(all), all.size(), opset,
      operator_map::table(rows),
      "cameo ops NAME shows one of them, cameo ops --grep WORD finds some, docs/operators.md lists all\n");
}

}  // namespace cameo
