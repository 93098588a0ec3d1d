#include "onnx/upgrade/modernize.h"

#include <fmt/core.h>

#include <optional>

#include "cameo/conversion.h"
#include "onnx/emit/tables.h"
#include "onnx/facts/facts.h"
#include "onnx/graph/versions.h"
#include "onnx/upgrade/emit_maker.h"

namespace cameo::onnx {
namespace {

facts::Kind kind_of(const AttributeValue& value) {
  using facts::Kind;
  constexpr Kind kKinds[] = {Kind::integer,  Kind::real,  Kind::string,  Kind::tensor, Kind::graph,
                             Kind::integers, Kind::reals, Kind::strings, Kind::graphs};
  return kKinds[value.index()];
}

// An int where a float is wanted is one.
void fit(AttributeValue& value, facts::Kind wanted) {
  if (const auto* number = std::get_if<std::int64_t>(&value); number && wanted == facts::Kind::real)
    value = static_cast<float>(*number);
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value); list && wanted == facts::Kind::reals)
    value = std::vector<float>(list->begin(), list->end());
}

// The reason why a node is not a valid `op`; empty if it is.
using Misfit = std::string;

Misfit fit_attributes(Node& node, const facts::Operator& op) {
  for (Attribute& attribute : node.attributes) {
    const facts::Attribute* known = op.attribute(attribute.name);
    if (!known) return fmt::format("{} has no attribute '{}'", op.name, attribute.name);
    fit(attribute.value, known->kind);
    if (kind_of(attribute.value) != known->kind)
      return fmt::format("the attribute '{}' of {} is {}, not {}", attribute.name, op.name, name(known->kind),
                         name(kind_of(attribute.value)));
  }
  for (const facts::Attribute& attribute : op.attributes)
    if (attribute.required && !node.attribute(attribute.name))
      return fmt::format("{} needs the attribute '{}'", op.name, attribute.name);
  return {};
}

Misfit fit_count(const facts::Operator& op, std::string_view what,
                 std::span<const facts::Parameter> parameters, std::size_t given) {
  const facts::Range range = facts::count(parameters);
  if (given >= range.least && given <= range.most) return {};
  const bool few = given < range.least;
  return fmt::format("{} has at {} {} {}, and {} given", op.name, few ? "least" : "most",
                     few ? range.least : range.most, what,
                     given == 1 ? "1 is" : fmt::format("{} are", given));
}

Misfit fit_inputs(const Node& node, const facts::Operator& op) {
  if (Misfit misfit = fit_count(op, "inputs", op.inputs, node.inputs.size()); !misfit.empty()) return misfit;
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (!node.inputs[i] && facts::parameter(op.inputs, i)->arity != facts::Arity::optional)
      return fmt::format("{} needs its input '{}'", op.name, facts::parameter(op.inputs, i)->name);
  return {};
}

Misfit fit(Node& node, const facts::Operator& op, std::size_t outputs) {
  Misfit misfit = fit_attributes(node, op);
  if (misfit.empty()) misfit = fit_inputs(node, op);
  if (misfit.empty()) misfit = fit_count(op, "outputs", op.outputs, outputs);
  return misfit;
}

// A version of an operator, and the opset that replaced it.
struct Form {
  const facts::Operator* op;
  int next;
};

// Those of the opsets that can be exported to, newest first.
std::vector<Form> forms_of(std::string_view op) {
  std::vector<Form> forms;
  int next = kMaxOpset + 1;
  const auto versions = facts::versions("", op);
  for (auto version = versions.rbegin(); version != versions.rend() && next > kMinOpset; ++version) {
    if (version->since > kMaxOpset) continue;
    if (!version->deprecated) forms.push_back({&*version, next});
    next = version->since;
  }
  return forms;
}

bool same(const Node& a, const Node& b, std::size_t outputs) {
  return reuse_key(a, outputs) == reuse_key(b, outputs);
}

}  // namespace

void modernize(Emit& e, Node& node, std::size_t outputs) {
  const std::vector<Form> forms = forms_of(node.op);
  if (forms.empty())
    throw ConversionError(fmt::format("ONNX has no operator '{}'", node.op),
                          "name the domain of an operator of your own: 'mydomain::" + node.op + "'");
  while (!node.inputs.empty() && !node.inputs.back()) node.inputs.pop_back();
  EmitMaker maker(e);
  std::optional<Node> newest;
  Misfit misfit;
  for (const auto& [op, next] : forms) {
    if (newest && next <= e.model().opset) break;
    Node raised = node;
    if (Misfit here = fit(raised, *op, outputs); !here.empty()) {
      if (misfit.empty()) misfit = std::move(here);
      continue;
    }
    const Fidelity fidelity = upgrade(raised, op->since, outputs, maker);
    if (fidelity == Fidelity::none) continue;
    const bool exact = fidelity == Fidelity::exact;
    if (!newest && !exact)
      throw ConversionError(fmt::format("this {} cannot be expressed in opset {} or later", op->name, next),
                            "write its newest form");
    if (newest && !(exact && same(raised, *newest, outputs)))
      throw ConversionError(fmt::format("this {} means something else before opset {}", op->name, next),
                            "write it so that it means the same in every opset");
    if (!newest) newest = std::move(raised);
  }
  if (!newest)
    throw ConversionError(misfit.empty() ? fmt::format("{} lacks an input that it needs", node.op) : misfit);
  node = std::move(*newest);
}

}  // namespace cameo::onnx
