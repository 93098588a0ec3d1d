#include "onnx/downgrade/steps.h"

#include <algorithm>

#include <fmt/core.h>

#include "onnx/graph/errors.h"

namespace cameo::onnx {

void needs(const Translation& t, std::string_view because) {
  Diagnostic diagnostic{
      .code = Code::needs_opset,
      .message = fmt::format("{} needs opset {} or newer, because {}", t.node.op, t.since, because),
      .hint = fmt::format("export with --opset {}", t.since)};
  if (const Origin* origin = t.emit.origin()) {
    diagnostic.module_path = origin->module_path;
    Places places = origin->places();
    diagnostic.script = std::move(places.script);
    diagnostic.python = std::move(places.python);
  }
  throw NeedsOpset(std::move(diagnostic));
}

const AttributeValue* attribute(const Translation& t, std::string_view name) {
  return t.node.attribute(name);
}

std::int64_t integer_attribute(const Translation& t, std::string_view name, std::int64_t otherwise) {
  const auto* value = t.node.attribute_if<std::int64_t>(name);
  return value ? *value : otherwise;
}

std::string text_attribute(const Translation& t, std::string_view name, std::string_view otherwise) {
  const auto* value = t.node.attribute_if<std::string>(name);
  return value ? *value : std::string(otherwise);
}

void set_attribute(Translation& t, std::string_view name, AttributeValue value) {
  remove_attribute(t, name);
  t.node.attributes.push_back({std::string(name), std::move(value)});
}

void remove_attribute(Translation& t, std::string_view name) {
  std::erase_if(t.node.attributes, [name](const Attribute& attribute) { return attribute.name == name; });
}

bool has_input(const Translation& t, std::size_t index) {
  return index < t.node.inputs.size() && t.node.inputs[index] != nullptr;
}

const Shape& shape_of(const Translation& t, std::size_t input) {
  if (!t.node.inputs[input]->has_rank()) needs(t, "the number of axes is not known");
  return *t.node.inputs[input]->type.shape;
}

std::int64_t from_front(std::int64_t axis, std::int64_t rank) { return axis < 0 ? axis + rank : axis; }

void input_to_integers(Translation& t, std::size_t input, std::string_view name) {
  if (!has_input(t, input)) return;
  const Value* value = t.node.inputs[input];
  if (!value->constant()) needs(t, fmt::format("'{}' is known only when the model runs", name));
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < value->data->numel(); ++i) numbers.push_back(value->data->integer(i));
  t.node.inputs.resize(input);
  set_attribute(t, name, std::move(numbers));
}

void axes_input_to_attribute(Translation& t) {
  input_to_integers(t, 1, "axes");
  const Value* x = t.node.inputs[0];
  const auto* given = t.node.attribute_if<std::vector<std::int64_t>>("axes");
  if (!given || !x->has_rank()) return;
  std::vector<std::int64_t> axes = *given;
  const std::int64_t added = t.node.op == "Unsqueeze" ? std::ssize(axes) : 0;
  for (std::int64_t& axis : axes) axis = from_front(axis, x->rank() + added);
  set_attribute(t, "axes", std::move(axes));
}

void input_to_integer(Translation& t, std::size_t input, std::string_view name) {
  if (!has_input(t, input)) return;
  const Value* value = t.node.inputs[input];
  if (!value->constant()) needs(t, fmt::format("'{}' is known only when the model runs", name));
  const std::int64_t number = value->data->integer(0);
  t.node.inputs.resize(input);
  set_attribute(t, name, number);
}

void drop_attribute(Translation& t, std::string_view name, std::int64_t only, std::string_view because) {
  if (integer_attribute(t, name, only) != only) needs(t, because);
  remove_attribute(t, name);
}

void drop_attribute(Translation& t, std::string_view name, std::string_view only, std::string_view because) {
  if (text_attribute(t, name, only) != only) needs(t, because);
  remove_attribute(t, name);
}

bool uses(const Translation& t, DType dtype) {
  return std::any_of(t.node.inputs.begin(), t.node.inputs.end(),
                     [dtype](const Value* input) { return input && input->dtype() == dtype; }) ||
         std::any_of(t.results.begin(), t.results.end(),
                     [dtype](const Inferred& result) { return result.type.dtype == dtype; });
}

void through(Translation& t, DType from, DType to) {
  std::vector<Value*> inputs = t.node.inputs;
  for (Value*& input : inputs)
    if (input && input->dtype() == from) input = t.emit.cast(input, to);
  Attributes attributes = t.node.attributes;
  for (Attribute& attribute : attributes) {
    if (attribute.name != "dtype") continue;
    if (auto* number = std::get_if<std::int64_t>(&attribute.value); number && *number == to_onnx(from))
      *number = to_onnx(to);
  }
  std::vector<Value*> values =
      t.emit.ops(t.node.op, std::move(inputs), std::move(attributes), t.results.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = t.emit.cast(values[i], t.results[i].type.dtype);
  t.instead = std::move(values);
}

void no_bf16(Translation& t) {
  if (uses(t, DType::bf16)) through(t, DType::bf16, DType::f32);
}

void no_short_floats(Translation& t) {
  no_bf16(t);
  if (t.instead.empty() && uses(t, DType::f16)) through(t, DType::f16, DType::f32);
}

void no_small_integers(Translation& t) {
  for (DType small : {DType::i8, DType::u8, DType::i16, DType::u16})
    if (t.instead.empty() && uses(t, small)) through(t, small, DType::i32);
}

void no_booleans(Translation& t) {
  if (t.node.inputs[0]->dtype() == DType::boolean) through(t, DType::boolean, DType::u8);
}

}  // namespace cameo::onnx
