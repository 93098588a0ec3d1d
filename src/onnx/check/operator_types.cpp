#include <map>

#include <fmt/core.h>

#include "onnx/check/context.h"

namespace cameo::onnx {
namespace {

using facts::Form;
using facts::Operator;
using facts::Parameter;

// "A"; of a variadic parameter, which of its inputs: "data_0[2]".
std::string input_name(const Operator& op, std::size_t index) {
  const Parameter& parameter = *facts::parameter(op.inputs, index);
  if (parameter.arity != facts::Arity::variadic) return std::string(parameter.name);
  return fmt::format("{}[{}]", parameter.name, index + 1 - op.inputs.size());
}

// The type of each type variable, and the input that determined it.
struct Binding {
  ValueType type;
  std::size_t input;
};
using Bindings = std::map<std::string_view, Binding>;

Bindings check_inputs(const Context& context, const proto::Node& node, const Operator& op,
                      const Scope& scope) {
  Bindings bindings;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Parameter* parameter = facts::parameter(op.inputs, i);
    const auto type = parameter && !node.inputs[i].empty() ? scope.type(node.inputs[i]) : std::nullopt;
    if (!type) continue;
    if (!parameter->types->holds(type->form, type->element)) {
      context.report.error(Code::input_type,
                           fmt::format("its input '{}' is {}, and must be {}", input_name(op, i),
                                       to_string(*type), to_string(*parameter->types)));
      continue;
    }
    if (parameter->variable.empty() || !parameter->same) continue;
    const auto [bound, added] = bindings.try_emplace(parameter->variable, Binding{*type, i});
    if (!added && bound->second.type != *type)
      context.report.error(Code::types_differ,
                           fmt::format("its inputs '{}' and '{}' must have one type, and are {} and {}",
                                       input_name(op, bound->second.input), input_name(op, i),
                                       to_string(bound->second.type), to_string(*type)));
  }
  return bindings;
}

std::optional<ValueType> tensor_of(std::optional<std::int64_t> element) {
  if (!element || *element <= 0 || *element > proto::kInt2) return std::nullopt;
  return ValueType{Form::tensor, static_cast<int>(*element)};
}

std::optional<ValueType> constant_type(const proto::Node& node) {
  for (const proto::Attribute& attribute : node.attributes) {
    if (attribute.name == "value" && attribute.t) return tensor_of(attribute.t->data_type);
    if (attribute.name == "sparse_value" && attribute.sparse_tensor && attribute.sparse_tensor->values)
      return tensor_of(attribute.sparse_tensor->values->data_type);
    if (attribute.name.starts_with("value_float")) return tensor_of(proto::kFloat);
    if (attribute.name.starts_with("value_int")) return tensor_of(proto::kInt64);
    if (attribute.name.starts_with("value_string")) return tensor_of(proto::kString);
  }
  return std::nullopt;
}

// Where an attribute decides.
std::optional<ValueType> type_by_attribute(const proto::Node& node) {
  if (node.op_type == "Constant") return constant_type(node);
  if (node.op_type == "ConstantOfShape") {
    const proto::Attribute* value = find_attribute(node, "value");
    if (value == nullptr) return tensor_of(proto::kFloat);
    return value->t ? tensor_of(value->t->data_type) : std::nullopt;
  }
  if (node.op_type == "Cast") {
    const proto::Attribute* to = find_attribute(node, "to");
    return to == nullptr ? std::nullopt : tensor_of(to->i);
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::optional<ValueType>> check_types(const Context& context, const proto::Node& node,
                                                  const Operator& op, const Scope& scope) {
  const Bindings bindings = check_inputs(context, node, op, scope);
  std::vector<std::optional<ValueType>> types(node.outputs.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Parameter* parameter = facts::parameter(op.outputs, i);
    if (parameter == nullptr) continue;
    const auto bound = bindings.find(parameter->variable);
    if (bound != bindings.end() && parameter->same)
      types[i] = bound->second.type;
    else if (op.domain == "ai.onnx" && op.outputs.size() == 1 && op.outputs[0].arity == facts::Arity::single)
      types[i] = type_by_attribute(node);
    if (!types[i]) types[i] = only(*parameter->types);
    if (types[i] && !parameter->types->holds(types[i]->form, types[i]->element))
      context.report.error(Code::output_element_type,
                           fmt::format("its output '{}' would be {}, and must be {}", parameter->name,
                                       to_string(*types[i]), to_string(*parameter->types)));
  }
  return types;
}

}  // namespace cameo::onnx
