#include <algorithm>

#include <fmt/core.h>

#include "cameo/diagnostic.h"
#include "onnx/graph/versions.h"
#include "operator_map/find.h"
#include "operator_map/text.h"

namespace cameo {
namespace {

// Keeps the overloads that have the arguments that were given.
void keep_fitting(std::vector<operator_map::Found>& all, const OpsOptions& options) {
  const auto has = [](const operator_map::Operator& op, const std::string& name) {
    const auto params = std::span(op.schema().params).first(op.schema().count);
    return std::ranges::find(params, name, &aten::ParamSchema::name) != params.end();
  };
  for (const std::string& text : options.arguments) {
    const std::string name = parse_input(text).name;
    bool found = false;
    for (operator_map::Found& each : all) {
      std::erase_if(each.operators, [&](const operator_map::Operator& op) { return !has(op, name); });
      found = found || !each.operators.empty();
    }
    if (!found)
      throw Error(Diagnostic{.code = Code::unknown_argument,
                             .message = fmt::format("no overload has an argument '{}'", name)});
  }
}

}  // namespace

std::string describe_operators(const std::vector<std::string>& names, const OpsOptions& options,
                               const OpsFormat& format) {
  if (options.opset) onnx::check_opset(*options.opset);
  std::vector<operator_map::Found> all;
  for (const std::string& name : names)
    for (operator_map::Found& found : operator_map::find(name, options)) all.push_back(std::move(found));
  keep_fitting(all, options);
  if (format.json) return operator_map::to_json(all, options, format);
  std::string text;
  for (const operator_map::Found& found : all)
    text += (text.empty() ? "" : "\n") + operator_map::to_text(found, options, format);
  return text;
}

}  // namespace cameo
