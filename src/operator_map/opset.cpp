#include <fmt/core.h>
#include "base/json.h"
#include "base/style.h"
#include "cameo/diagnostic.h"
#include "onnx/facts/facts.h"
#include "onnx/graph/versions.h"
#include "operator_map/operator.h"

namespace cameo {
namespace {

namespace facts = onnx::facts;
using Names = std::vector<std::string>;
constexpr std::size_t kWidth = 100;

struct News {
  Names added, changed;         // ONNX's operators
  Names converts, other_nodes;  // PyTorch's: from this opset on, or to other nodes than before
};

News news_of(int opset) {
  News news;
  for (const facts::Operator& version : facts::operators()) {
    if (version.domain != "ai.onnx" || version.since != opset) continue;
    const bool first = facts::versions("", version.name).front().since == opset;
    (first ? news.added : news.changed).emplace_back(version.name);
  }
  if (opset <= kMinOpset || opset > kMaxOpset) return news;
  for (const operator_map::Operator& op : operator_map::all_operators()) {
    const operator_map::Conversion now = op.convert(opset), before = op.convert(opset - 1);
    if (now.outcome != operator_map::Outcome::converts) continue;
    if (before.outcome != operator_map::Outcome::converts)
      news.converts.push_back(op.title());
    else if (now.operators() != before.operators())
      news.other_nodes.push_back(op.title());
  }
  return news;
}

std::string section(const std::string& title, const Names& names) {
  if (names.empty()) return {};
  return fmt::format("\n{}  {}\n{}", title, names.size(), in_columns(names, kWidth));
}

}  // namespace

std::string describe_opset(int opset, const OpsFormat& format) {
  const int newest = facts::find_domain("")->newest;
  if (opset < 1 || opset > newest)
    throw Error(Diagnostic{.code = Code::unsupported_opset,
                           .message = fmt::format("opset {} does not exist", opset),
                           .hint = fmt::format("choose one from 1 to {}", newest)});
  const News news = news_of(opset);
  if (format.json)
    return Json({{"opset", opset},
                 {"onnx_added", news.added},
                 {"onnx_changed", news.changed},
                 {"converts_from", news.converts},
                 {"other_nodes", news.other_nodes}})
        .text();
  return fmt::format("opset {}\n", opset) + section("ONNX operators that are new", news.added) +
         section("ONNX operators that changed", news.changed) +
         section("PyTorch's operators that convert from here on", news.converts) +
         section("PyTorch's operators that become other nodes than before", news.other_nodes);
}

}  // namespace cameo
