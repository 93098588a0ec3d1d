#include <algorithm>

#include <fmt/format.h>

#include "cameo/diagnostic.h"
#include "onnx/opset/versions.h"
#include "ops/find.h"
#include "ops/text.h"

namespace cameo {
namespace {

// Keeps the overloads that have the arguments that were given.
void keep_fitting(std::vector<ops::Found>& all, const OpsOptions& options) {
  const auto has = [](const ops::Operator& op, const std::string& name) {
    const auto& params = op.schema().params;
    return std::any_of(params.begin(), params.begin() + static_cast<std::ptrdiff_t>(op.schema().count),
                       [&](const aten::ParamSchema& p) { return p.name == name; });
  };
  for (const std::string& text : options.arguments) {
    const std::string name = parse_input_spec(text).name;
    bool found = false;
    for (ops::Found& each : all) {
      std::erase_if(each.operators, [&](const ops::Operator& op) { return !has(op, name); });
      found = found || !each.operators.empty();
    }
    if (!found)
      throw Error(Diagnostic{.stage = Stage::convert,
                             .code = "unknown-argument",
                             .message = fmt::format("no overload has an argument '{}'", name)});
  }
}

}  // namespace

std::string describe_operators(const std::vector<std::string>& names, const OpsOptions& options) {
  if (options.opset) onnx::check_opset(*options.opset);
  std::vector<ops::Found> all;
  for (const std::string& name : names)
    for (ops::Found& found : ops::find(name, options)) all.push_back(std::move(found));
  keep_fitting(all, options);
  if (options.json) return ops::to_json(all, options);
  std::string text;
  for (const ops::Found& found : all) text += (text.empty() ? "" : "\n") + ops::to_text(found, options);
  return text;
}

}  // namespace cameo
