#include "model/import/element_types.h"

#include <algorithm>
#include <bit>
#include <map>

#include <fmt/core.h>

#include "model/import/lift.h"

namespace cameo::model {
namespace {

namespace facts = onnx::facts;
using facts::Form;
using onnx::Type;

std::optional<Form> form_of(Type::Kind kind) {
  switch (kind) {
    case Type::Kind::tensor: return Form::tensor;
    case Type::Kind::sequence: return Form::sequence;
    case Type::Kind::optional: return Form::optional;
    case Type::Kind::optional_sequence: return Form::optional_sequence;
    case Type::Kind::unknown: break;
  }
  return std::nullopt;
}

Type::Kind kind_of(std::size_t form) {
  constexpr Type::Kind kKinds[] = {Type::Kind::tensor, Type::Kind::sequence, Type::Kind::optional,
                                   Type::Kind::optional_sequence};
  return form < std::size(kKinds) ? kKinds[form] : Type::Kind::unknown;
}

// The only type of a set, or the only kind.
Type only(const facts::TypeSet& types) {
  Type found = unknown_type();
  std::size_t forms = 0;
  for (std::size_t form = 0; form < facts::kForms; ++form) {
    const std::uint32_t elements = types.elements[form];
    if (elements == 0) continue;
    if (++forms > 1) return unknown_type();
    found.kind = kind_of(form);
    if (std::has_single_bit(elements))
      found.dtype = onnx::from_onnx(std::countr_zero(elements)).value_or(DType::undefined);
  }
  return found;
}

bool told(const Type& type) { return type.kind != Type::Kind::unknown && type.dtype != DType::undefined; }

bool has_kind(const onnx::proto::Attribute& attribute, facts::Kind kind) {
  if (attribute.type.value_or(0) != 0 && *attribute.type != static_cast<std::int32_t>(kind)) return false;
  switch (kind) {
    case facts::Kind::tensor: return attribute.t != nullptr;
    case facts::Kind::graph: return attribute.g != nullptr;
    case facts::Kind::sparse_tensor: return attribute.sparse_tensor != nullptr;
    case facts::Kind::type: return attribute.tp != nullptr;
    default: return true;
  }
}

}  // namespace

std::string misfit(const onnx::proto::Node& node, const facts::Operator& op) {
  const facts::Range inputs = facts::count(op.inputs), outputs = facts::count(op.outputs);
  if (node.inputs.size() < inputs.least || node.inputs.size() > inputs.most)
    return fmt::format("it cannot have {} inputs", node.inputs.size());
  if (node.outputs.size() < outputs.least || node.outputs.size() > outputs.most)
    return fmt::format("it cannot have {} outputs", node.outputs.size());
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const facts::Parameter& input = *facts::parameter(op.inputs, i);
    const bool needed =
        input.arity == facts::Arity::single || (input.arity == facts::Arity::variadic && input.minimum > 0);
    if (node.inputs[i].empty() && needed) return fmt::format("its input '{}' is missing", input.name);
  }
  for (const facts::Attribute& known : op.attributes) {
    const auto given = std::ranges::find(node.attributes, known.name, &onnx::proto::Attribute::name);
    if (given == node.attributes.end()) {
      if (known.required) return fmt::format("it needs the attribute '{}'", known.name);
    } else if (given->ref_attr_name.empty() && !has_kind(*given, known.kind)) {
      return fmt::format("its attribute '{}' must be {}", known.name, facts::name(known.kind));
    }
  }
  return {};
}

ElementTypes element_types(const facts::Operator& op, const std::vector<onnx::Value*>& inputs,
                           std::size_t outputs) {
  ElementTypes types{std::vector<Type>(outputs, unknown_type())};
  std::map<std::string_view, Type> bound;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const facts::Parameter* parameter = facts::parameter(op.inputs, i);
    if (!parameter || !inputs[i] || !told(inputs[i]->type)) continue;
    const Type type{inputs[i]->type.kind, inputs[i]->type.dtype, std::nullopt};
    if (!parameter->types->holds(*form_of(type.kind), onnx::to_onnx(type.dtype))) types.fit = false;
    if (parameter->variable.empty() || !parameter->same) continue;
    if (bound.try_emplace(parameter->variable, type).first->second != type) types.fit = false;
  }
  for (std::size_t i = 0; i < outputs; ++i) {
    const facts::Parameter* parameter = facts::parameter(op.outputs, i);
    if (!parameter) continue;
    const auto found = bound.find(parameter->variable);
    types.results[i] = found != bound.end() && parameter->same ? found->second : only(*parameter->types);
  }
  return types;
}

Type completed(Type found, const Type& operator_says) {
  if (operator_says.kind == Type::Kind::unknown) return found;
  if (found.kind != operator_says.kind && told(operator_says)) return operator_says;
  if (found.kind == Type::Kind::unknown) found.kind = operator_says.kind;
  if (operator_says.dtype != DType::undefined) found.dtype = operator_says.dtype;
  return found;
}

}  // namespace cameo::model
