#include <algorithm>

#include <fmt/format.h>

#include "model/infer/element_types.h"
#include "model/infer/walk.h"
#include "onnx/fold/fold.h"
#include "onnx/infer/infer.h"

namespace cameo::model {
namespace {

namespace facts = onnx::facts;
namespace proto = onnx::proto;
using onnx::Type;

constexpr std::int64_t kMaxFolded = 4096;  // elements of constants that are computed with

bool has_subgraphs(const facts::Operator& op) {
  return std::ranges::any_of(op.attributes,
                             [](const facts::Attribute& a) { return a.kind == facts::Kind::graph; });
}

bool small_constants(const onnx::Node& node) {
  return std::ranges::all_of(node.inputs, [](const onnx::Value* input) {
    return !input || (input->constant() && input->data->numel() <= kMaxFolded);
  });
}

bool small_result(const std::vector<Type>& types) {
  return std::ranges::all_of(types, [](const Type& type) {
    const auto total = type.shape ? onnx::product(*type.shape) : std::nullopt;
    return total && *total <= kMaxFolded;
  });
}

// The numbers that a node makes of constants; empty if they are not worth computing, or cannot be.
std::vector<onnx::DataPtr> computed(const onnx::Node& node, const std::vector<Type>& types) {
  if (node.op == "Constant") {
    const auto* value = node.attribute_if<onnx::DataPtr>("value");
    return value ? std::vector{*value} : std::vector<onnx::DataPtr>();
  }
  if (node.inputs.empty() || !small_constants(node) || !small_result(types)) return {};
  return onnx::fold(node, types);
}

}  // namespace

const proto::Attribute* argument(const proto::Attribute& attribute, const Place& place) {
  if (attribute.ref_attr_name.empty()) return &attribute;
  if (!place.arguments) return nullptr;
  const auto given = place.arguments->find(attribute.ref_attr_name);
  return given == place.arguments->end() ? nullptr : given->second;
}

const proto::Attribute* argument(const proto::Node& node, std::string_view name, const Place& place) {
  const auto found = std::ranges::find(node.attributes, name, &proto::Attribute::name);
  return found == node.attributes.end() ? nullptr : argument(*found, place);
}

Walk::Results Walk::results(const proto::Node& node, const Values& inputs, const Scope& scope,
                            const Place& place) {
  const auto function = functions_.find({onnx::Imports::key(node.domain), node.op_type, node.overload});
  if (function != functions_.end()) return call(node, *function->second, inputs, place);
  const std::int64_t opset = place.imports->version(node.domain).value_or(0);
  const facts::Domain* domain = facts::find_domain(node.domain);
  const facts::Operator* op =
      domain && opset <= domain->newest ? facts::find(node.domain, node.op_type, opset) : nullptr;
  if (!op || op->deprecated) return {Types(node.outputs.size(), unknown_type())};
  return standard(node, *op, opset, inputs, scope, place);
}

Walk::Results Walk::standard(const proto::Node& from, const facts::Operator& op, std::int64_t opset,
                             const Values& inputs, const Scope& scope, const Place& place) {
  const ElementTypes elements = element_types(op, inputs, from.outputs.size());
  if (!elements.fit) complain("input-type", "its inputs are of types that it does not take");
  Results results{elements.results};
  if (const std::string why = misfit(from, op); !why.empty()) {
    complain("faulty-node", why);
    return results;
  }
  if (const auto type = special(from, place)) return {Types{*type}};
  const onnx::Visible visible = visible_from_here();
  try {
    if (op.name == "Scan" && opset < 9) {
      if (const auto types = batched_scan(from, inputs, scope, place)) results.types = *types;
      return results;
    }
    const auto attributes = this->attributes(from, op, place);
    if (!attributes) return results;
    onnx::Node node{.op = std::string(op.name), .inputs = inputs, .attributes = *attributes};
    if (has_subgraphs(op) && !control(node, from, scope, place)) return results;
    const bool standard = op.domain == "ai.onnx";
    if (!standard) node.domain = op.domain;
    const onnx::Fidelity fidelity =
        standard ? onnx::upgrade(node, opset, from.outputs.size(), *this) : onnx::Fidelity::exact;
    if (fidelity == onnx::Fidelity::none || !onnx::can_infer(node)) return results;
    std::vector<onnx::Inferred> inferred = onnx::infer(model_.symbols(), node, from.outputs.size(), visible);
    for (std::size_t i = 0; i < inferred.size(); ++i) {
      results.types[i] = completed(std::move(inferred[i].type), elements.results[i]);
      results.elements.push_back(std::move(inferred[i].elements));
    }
    if (fidelity != onnx::Fidelity::exact) results.elements.clear();
    if (fidelity == onnx::Fidelity::exact && elements.fit) results.data = computed(node, results.types);
    results.producer = model_.add_node(std::move(node));
  } catch (const Error& error) {
    complain(error.diagnostics().front().code, error.diagnostics().front().message);
  } catch (const std::exception& error) {
    complain("faulty-node", fmt::format("its inputs and attributes do not go together ({})", error.what()));
  }
  return results;
}

// Constants that nothing here computes with, and an optional that holds nothing.
std::optional<Type> Walk::special(const proto::Node& node, const Place& place) {
  const auto given = [&](std::string_view name) { return argument(node, name, place); };
  const auto strings = [](onnx::Shape shape) {
    return Type{Type::Kind::tensor, DType::str, std::move(shape)};
  };
  if (node.op_type == "Constant") {
    if (const auto* value = given("value"); value && value->t && !lift_.data(*value->t))
      return lift_.type(*value->t);
    if (given("value_string")) return strings({});
    if (const auto* value = given("value_strings"))
      return strings({static_cast<std::int64_t>(value->strings.size())});
    const auto* sparse = given("sparse_value");
    if (!sparse || !sparse->sparse_tensor || !sparse->sparse_tensor->values) return std::nullopt;
    Type type = lift_.type(*sparse->sparse_tensor->values);
    type.shape = onnx::Shape(sparse->sparse_tensor->dims.begin(), sparse->sparse_tensor->dims.end());
    return type;
  }
  if (node.op_type != "Optional" || (!node.inputs.empty() && !node.inputs[0].empty())) return std::nullopt;
  const auto* type = given("type");
  if (!type || !type->tp) return unknown_type();
  Type held = lift_.type(*type->tp, node.outputs[0]);
  if (held.kind == Type::Kind::tensor)
    held.kind = Type::Kind::optional;
  else if (held.kind == Type::Kind::sequence)
    held.kind = Type::Kind::optional_sequence;
  else
    return unknown_type();
  return held;
}

std::optional<onnx::Attributes> Walk::attributes(const proto::Node& node, const facts::Operator& op,
                                                 const Place& place) {
  onnx::Attributes result;
  for (const proto::Attribute& each : node.attributes) {
    const facts::Attribute* known = op.attribute(each.name);
    const proto::Attribute* given = known ? argument(each, place) : nullptr;
    if (!given || known->kind == facts::Kind::graph || known->kind == facts::Kind::type) continue;
    auto value = lift_.attribute(*given, [](const proto::Graph&) { return nullptr; });
    if (!value) return std::nullopt;
    value->name = each.name;
    result.push_back(std::move(*value));
  }
  return result;
}

onnx::Value* Walk::constant(onnx::DataPtr data) {
  onnx::Shape shape(data->shape().begin(), data->shape().end());
  onnx::Value* constant = value({Type::Kind::tensor, data->dtype(), std::move(shape)}, {});
  constant->data = std::move(data);
  return constant;
}

onnx::Value* Walk::op(std::string_view type, Values inputs, onnx::Attributes attributes) {
  const onnx::Node node{
      .op = std::string(type), .inputs = std::move(inputs), .attributes = std::move(attributes)};
  const onnx::Visible visible = visible_from_here();
  onnx::Inferred result = onnx::infer(model_.symbols(), node, 1, visible).front();
  onnx::Value* made = value(result.type, {});
  made->elements = std::move(result.elements);
  if (const auto data = computed(node, {result.type}); !data.empty()) made->data = data.front();
  return made;
}

}  // namespace cameo::model
