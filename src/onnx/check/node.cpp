#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include "base/nearest.h"
#include "onnx/check/context.h"

namespace cameo::onnx {
namespace {

using facts::Arity;
using facts::Kind;
using facts::Operator;

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string near = nearest(word, known);
  return near.empty() ? near : fmt::format("did you mean '{}'?", near);
}

std::string known_operators_near(const proto::Node& node) {
  std::vector<std::string> known;
  for (const Operator& op : facts::operators())
    if (op.domain == Imports::key(node.domain) && (known.empty() || known.back() != op.name))
      known.emplace_back(op.name);
  return did_you_mean(node.op_type, known);
}

std::string range_text(facts::Range range, std::string_view what) {
  const std::string_view plural = range.most == 1 ? "" : "s";
  if (range.least == range.most) return fmt::format("{} {}{}", range.most, what, plural);
  if (range.most == std::numeric_limits<std::size_t>::max())
    return fmt::format("at least {} {}{}", range.least, what, range.least == 1 ? "" : "s");
  return fmt::format("{} to {} {}s", range.least, range.most, what);
}

// Inputs or outputs.
struct Side {
  std::string_view what;  // "input"
  std::string_view verb;  // "takes"
  Code count, missing;    // of a wrong number, and of one that cannot be left out
  const std::vector<proto::Text>& names;
  std::span<const facts::Parameter> parameters;
};

void check_arity(Report& report, const Side& side) {
  const facts::Range range = facts::count(side.parameters);
  if (side.names.size() < range.least || side.names.size() > range.most)
    report.error(side.count, fmt::format("it {} {}, but {} are given", side.verb,
                                         range_text(range, side.what), side.names.size()));
  for (std::size_t i = 0; i < std::min(side.names.size(), side.parameters.size()); ++i)
    if (side.names[i].empty() && side.parameters[i].arity == Arity::single)
      report.error(side.missing,
                   fmt::format("its {} '{}' cannot be left out", side.what, side.parameters[i].name));
}

// A tensor, a graph or a type is not there unless its field is; lists may be empty, numbers and texts 0.
bool has_value(const proto::Attribute& attribute, Kind kind) {
  switch (kind) {
    case Kind::tensor: return attribute.t != nullptr;
    case Kind::graph: return attribute.g != nullptr;
    case Kind::sparse_tensor: return attribute.sparse_tensor != nullptr;
    case Kind::type: return attribute.tp != nullptr;
    default: return true;
  }
}

std::string kind_name(std::int32_t kind) {
  return kind > 0 && kind <= static_cast<std::int32_t>(Kind::types)
             ? std::string(facts::name(static_cast<Kind>(kind)))
             : fmt::format("of kind {}", kind);
}

void check_known_attributes(Report& report, const proto::Node& node, const Operator& op) {
  for (const proto::Attribute& attribute : node.attributes) {
    if (attribute.name.starts_with("__")) continue;  // private to the program that wrote it
    const facts::Attribute* known = op.attribute(attribute.name);
    if (known == nullptr) {
      std::vector<std::string> names;
      for (const facts::Attribute& each : op.attributes) names.emplace_back(each.name);
      report.error(Code::unknown_attribute,
                   fmt::format("it has no attribute '{}' in opset {}", attribute.name, op.since),
                   did_you_mean(attribute.name, names));
      continue;
    }
    const std::int32_t kind = attribute.type.value_or(0);
    if (kind != static_cast<std::int32_t>(known->kind))
      report.error(Code::attribute_type,
                   fmt::format("its attribute '{}' is {}, and must be {}", attribute.name, kind_name(kind),
                               facts::name(known->kind)));
    else if (attribute.ref_attr_name.empty() && !has_value(attribute, known->kind))
      report.error(Code::attribute_value, fmt::format("its attribute '{}' has no value", attribute.name));
  }
  for (const facts::Attribute& each : op.attributes)
    if (each.required && find_attribute(node, each.name) == nullptr)
      report.error(Code::missing_attribute, fmt::format("it needs the attribute '{}'", each.name));
}

void tell_unchecked(const Context& context, std::string_view domain, std::int64_t version) {
  const facts::Domain* known = facts::find_domain(domain);
  const bool standard = Imports::key(domain) == "ai.onnx";
  if (!context.unchecked.insert(Imports::key(domain)).second) return;
  if (known == nullptr)
    context.report.warning(
        Code::unchecked_domain,
        fmt::format("the operators of the domain '{}' are not known and were not checked", domain));
  else
    context.report.warning(
        Code::unchecked_domain,
        fmt::format("{} is known up to opset {}; operators of opset {} were not checked",
                    standard ? "ONNX" : fmt::format("the domain '{}'", domain), known->newest, version));
}

// The definition that the node is held against; null if there is none.
const Operator* definition(const Context& context, const proto::Node& node, std::int64_t version) {
  Report& report = context.report;
  const facts::Domain* domain = facts::find_domain(node.domain);
  if (domain == nullptr || version > domain->newest)
    return tell_unchecked(context, node.domain, version), nullptr;
  const Operator* op = facts::find(node.domain, node.op_type, version);
  if (op == nullptr) {
    const auto versions = facts::versions(node.domain, node.op_type);
    if (versions.empty())
      report.error(Code::unknown_operator, fmt::format("{} has no such operator", domain->name),
                   known_operators_near(node));
    else
      report.error(Code::needs_newer_opset,
                   fmt::format("it exists from opset {} on, and the model imports opset {}",
                               versions.front().since, version));
  } else if (op->deprecated) {
    report.error(Code::deprecated_operator, fmt::format("it is deprecated since opset {}", op->since));
    return nullptr;
  }
  return op;
}

// In a function, an operator must be the same that the model would mean.
void check_same_version(const Context& context, const proto::Node& node, std::int64_t version) {
  const auto outside = context.model_imports->version(node.domain);
  if (!outside || *outside == version) return;
  if (facts::find(node.domain, node.op_type, version) != facts::find(node.domain, node.op_type, *outside))
    context.report.error(
        Code::function_opset,
        fmt::format("it is not the same operator in opset {}, which the function imports, as in "
                    "opset {}, which the model imports",
                    version, *outside));
}

}  // namespace

const proto::Attribute* find_attribute(const proto::Node& node, std::string_view name) {
  const auto found = std::ranges::find(node.attributes, name, &proto::Attribute::name);
  return found == node.attributes.end() ? nullptr : &*found;
}

std::vector<std::optional<ValueType>> check_node(const Context& context, const proto::Node& node,
                                                 const Scope& scope) {
  Report& report = context.report;
  check_attributes(context, node, scope);
  if (node.op_type.empty())
    return report.error(Code::no_operator, "it names no operator"), std::vector<std::optional<ValueType>>();
  if (node.inputs.empty() && node.outputs.empty())
    report.error(Code::empty_node, "it has neither inputs nor outputs");
  const auto version = context.imports->version(node.domain);
  if (!version) {
    report.error(Code::domain_not_imported,
                 fmt::format("the domain '{}' is not imported", Imports::key(node.domain)));
    return {};
  }
  const auto function = context.functions.find({Imports::key(node.domain), node.op_type, node.overload});
  if (function != context.functions.end())
    return check_call(context, node, *function->second), std::vector<std::optional<ValueType>>();
  const Operator* op = definition(context, node, *version);
  if (context.function != nullptr) check_same_version(context, node, *version);
  if (op == nullptr) return {};
  check_arity(report, {"input", "takes", Code::input_count, Code::missing_input, node.inputs, op->inputs});
  check_arity(report, {"output", "has", Code::output_count, Code::missing_output, node.outputs, op->outputs});
  check_known_attributes(report, node, *op);
  if (op->domain == "ai.onnx") check_control(context, node, *version);
  return check_types(context, node, *op, scope);
}

}  // namespace cameo::onnx
