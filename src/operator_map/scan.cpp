#include <algorithm>

#include <fmt/core.h>
#include "base/json.h"
#include "base/style.h"
#include "base/text.h"
#include "inspect/entry_points.h"
#include "onnx/graph/versions.h"
#include "operator_map/entry.h"
#include "operator_map/find.h"
#include "operator_map/table.h"
#include "program/open.h"
#include "script/operators.h"

namespace cameo {
namespace {

constexpr std::size_t kMaxForms = 3;

// Facts about an operator whose arguments are not known; its overloads may differ.
struct Row {
  std::string name;
  std::int64_t calls = 0;
  // "one to one" and its like; "varies" and "in part" where all or some overloads convert; "evaluated"; "no"
  std::string outcome;
  std::vector<std::string> nodes;
  int first = 0, last = 0;  // opset from which on some overload converts, and all do
};

template <class T>
void add_once(std::vector<T>& list, T item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(std::move(item));
}

Row row_of(const script::OperatorCount& count, int opset) {
  Row row{count.name, count.calls, "no", {}};
  const operator_map::Found found = operator_map::look_up(count.name);
  if (found.operators.empty()) {
    if (found.of_language) row.outcome = "evaluated";
    return row;
  }
  std::vector<std::string> outcomes;
  row.first = kMaxOpset + 1;
  for (const operator_map::Operator& op : found.operators) {
    const operator_map::Conversion now = op.convert(opset);
    add_once(outcomes, operator_map::outcome_of(now));
    if (now.outcome == operator_map::Outcome::converts)
      add_once(row.nodes, operator_map::node_list(now.operators()));
    const int first = op.first_opset();
    if (first == 0) continue;
    row.first = std::min(row.first, first);
    row.last = std::max(row.last, first);
  }
  const bool some_fail = std::ranges::find(outcomes, "no") != outcomes.end();
  row.outcome = outcomes.size() == 1 ? outcomes.front() : some_fail ? "in part" : "varies";
  return row;
}

std::string nodes_text(const Row& row) {
  if (row.outcome == "evaluated") return "none: evaluated when exporting";
  const auto shown = std::span(row.nodes).first(std::min(row.nodes.size(), kMaxForms));
  std::vector<std::string> forms(shown.begin(), shown.end());
  if (row.nodes.size() > kMaxForms) forms.emplace_back("…");
  return join(forms, " | ");
}

std::string opsets_text(const Row& row) {
  if (row.last == 0) return "";
  return row.first == row.last ? std::to_string(row.first) : fmt::format("{}-{}", row.first, row.last);
}

std::string verdict(const std::vector<Row>& rows, int opset) {
  std::vector<std::string> missing, partly;
  for (const Row& row : rows) {
    if (row.outcome == "no") missing.push_back(printable(row.name));
    if (row.outcome == "in part") partly.push_back(printable(row.name));
  }
  std::string text;
  if (missing.empty() && partly.empty()) return fmt::format("\nall of them convert at opset {}\n", opset);
  if (!missing.empty()) text += fmt::format("\nno conversion at opset {}: {}\n", opset, join(missing, ", "));
  if (!partly.empty())
    text += fmt::format("\nnot every form converts at opset {}: {}\n", opset, join(partly, ", "));
  return text;
}

std::string to_json(const std::string& path, const std::vector<Row>& rows, int opset) {
  auto list = Json::array();
  for (const Row& row : rows)
    list.push_back({{"name", row.name},
                    {"calls", row.calls},
                    {"outcome", row.outcome},
                    {"nodes", row.nodes},
                    {"first_opset", row.last == 0 ? 0 : row.first},
                    {"all_from_opset", row.last}});
  const Json json = {{"file", path}, {"opset", opset}, {"operators", std::move(list)}};
  return json.text();
}

}  // namespace

OperatorScan scan_operators(const std::string& path, const OpsOptions& options, const OpsFormat& format) {
  if (options.opset) onnx::check_opset(*options.opset);
  const int opset = options.opset.value_or(kDefaultOpset);
  const script::Program program = open_program(MappedFile::open(path));
  const std::vector<inspect::EntryPoint> entries = inspect::gather_entry_points(program);
  const std::vector<script::OperatorCount> counts =
      entries.empty() ? script::count_operators(program)
                      : script::count_operators(program, entries.front().name);
  std::vector<Row> rows;
  std::int64_t calls = 0;
  for (const script::OperatorCount& count : counts) {
    rows.push_back(row_of(count, opset));
    calls += count.calls;
  }
  OperatorScan scan;
  scan.converts = std::ranges::none_of(rows, [](const Row& row) { return row.outcome == "no"; });
  if (format.json) {
    scan.text = to_json(path, rows, opset);
    return scan;
  }
  scan.text = fmt::format("{}  {} of {}, opset {}\n\n", printable(path), plural(calls, "call"),
                          plural(std::ssize(rows), "operator"), opset);
  std::vector<std::vector<std::string>> cells = {
      {"calls", "operator", "outcome", "from opset", "ONNX nodes"}};
  for (const Row& row : rows)
    cells.push_back(
        {grouped(row.calls), printable(row.name), row.outcome, opsets_text(row), nodes_text(row)});
  scan.text += operator_map::table(cells) + verdict(rows, opset);
  return scan;
}

}  // namespace cameo
