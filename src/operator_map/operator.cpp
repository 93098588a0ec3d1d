#include "operator_map/operator.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "cameo/diagnostic.h"
#include "onnx/graph/versions.h"

namespace cameo::operator_map {
namespace {

DType named_type(const std::string& text) {
  if (const std::optional<DType> dtype = dtype_from_name(text)) return *dtype;
  throw Error(Diagnostic{.code = Code::bad_dtype,
                         .message = fmt::format("'{}' is not a type", text),
                         .hint = "types are f32, f16, i64, u8, bool and so on"});
}

Sample as_asked(Sample sample, const aten::Schema& schema, const OpsOptions& options) {
  if (!options.dtype.empty()) sample = with_type(std::move(sample), schema, named_type(options.dtype));
  for (const std::string& text : options.arguments) sample = with(sample, parse_input(text));
  return sample;
}

}  // namespace

Operator::Operator(const aten::Op& op, const OpsOptions& options) : op_(&op) {
  const std::vector<Sample> trials = trial_samples(op);
  const auto converts = [&](const Sample& trial) {
    const Sample fixed = fixed_sizes(as_asked(trial, schema(), options), schema());
    return operator_map::convert(*op_, fixed, kMaxOpset).outcome == Outcome::converts;
  };
  auto chosen = std::ranges::find_if(trials, converts);
  if (chosen == trials.end()) chosen = trials.begin();
  dynamic_ = as_asked(*chosen, schema(), options);
  fixed_ = fixed_sizes(dynamic_, schema());
}

std::string Operator::title() const {
  return schema().overload.empty() ? std::string(schema().name)
                                   : fmt::format("{}.{}", schema().name, schema().overload);
}

Conversion Operator::convert(int opset, Sizes sizes) const {
  return operator_map::convert(*op_, sample(sizes), opset);
}

int Operator::first_opset(Sizes sizes) const {
  for (int opset = kMinOpset; opset <= kMaxOpset; ++opset)
    if (convert(opset, sizes).outcome == Outcome::converts) return opset;
  return 0;
}

std::vector<OperatorForm> Operator::forms(Sizes sizes) const {
  std::vector<OperatorForm> forms;
  for (int opset = kMinOpset; opset <= kMaxOpset; ++opset) {
    const Conversion conversion = convert(opset, sizes);
    OperatorForm form{opset, opset, conversion.outcome == Outcome::converts, conversion.operators(),
                      conversion.reason};
    const bool same = !forms.empty() && forms.back().converts == form.converts &&
                      forms.back().nodes == form.nodes && forms.back().reason == form.reason;
    if (same)
      forms.back().last = opset;
    else
      forms.push_back(std::move(form));
  }
  return forms;
}

std::vector<Operator> all_operators(const OpsOptions& options) {
  std::vector<Operator> all;
  for (const aten::Op* op : aten::Registry::builtin().all()) all.emplace_back(*op, options);
  return all;
}

std::string node_list(const std::vector<std::string>& nodes) {
  std::vector<std::pair<std::string, int>> counts;
  for (const std::string& node : nodes) {
    const auto found = std::ranges::find(counts, node, &std::pair<std::string, int>::first);
    if (found == counts.end())
      counts.emplace_back(node, 1);
    else
      ++found->second;
  }
  std::vector<std::string> parts;
  for (const auto& [node, count] : counts)
    parts.push_back(count == 1 ? node : fmt::format("{} ({})", node, count));
  return parts.empty() ? "no node" : join(parts, ", ");
}

}  // namespace cameo::operator_map
