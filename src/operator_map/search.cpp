#include <algorithm>
#include <cctype>

#include <fmt/core.h>
#include "base/json.h"
#include "base/text.h"
#include "cameo/diagnostic.h"
#include "onnx/graph/versions.h"
#include "operator_map/entry.h"
#include "operator_map/table.h"
#include "operator_map/variants.h"

namespace cameo {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool mentions(const operator_map::Operator& op, const operator_map::Conversion& now, int opset,
              const std::string& word) {
  const auto holds = [&](std::string_view text) { return lower(text).find(word) != std::string::npos; };
  if (holds(op.title()) || holds(op.op().traits.doc)) return true;
  if (std::ranges::any_of(now.operators(), holds)) return true;
  const operator_map::Limits limits = operator_map::limits(operator_map::try_variants(op, opset), now);
  return std::ranges::any_of(
      limits.notes, [&](const OperatorNote& note) { return holds(note.argument) || holds(note.text); });
}

}  // namespace

std::string search_operators(std::string_view word, const OpsOptions& options, const OpsFormat& format) {
  if (options.opset) onnx::check_opset(*options.opset);
  const int opset = options.opset.value_or(kMaxOpset);
  const std::string wanted = lower(word);
  std::vector<std::vector<std::string>> rows = {{"operator", "ONNX nodes", "from opset"}};
  auto json = Json::array();
  for (const operator_map::Operator& op : operator_map::all_operators(options)) {
    const operator_map::Conversion now = op.convert(opset);
    if (!mentions(op, now, opset, wanted)) continue;
    const int first = op.first_opset();
    rows.push_back(
        {op.title(),
         now.outcome == operator_map::Outcome::converts ? operator_map::node_list(now.operators()) : "no",
         std::to_string(first)});
    json.push_back({{"name", op.schema().name},
                    {"overload", op.schema().overload},
                    {"outcome", operator_map::outcome_of(now)},
                    {"nodes", now.operators()},
                    {"first_opset", first}});
  }
  if (json.empty())
    throw Error(Diagnostic{.code = Code::no_such_operator,
                           .message = fmt::format("nothing holds the word '{}'", printable(word))});
  return format.json ? json.text() : operator_map::table(rows);
}

}  // namespace cameo
