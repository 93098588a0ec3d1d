#include "onnx/upgrade/step.h"

#include <algorithm>

#include "base/half.h"

namespace cameo::onnx {

std::optional<std::int64_t> Raising::rank(std::size_t input) const {
  if (!has(input) || !node.inputs[input]->has_rank()) return std::nullopt;
  return node.inputs[input]->rank();
}

DType Raising::dtype(std::size_t input) const {
  return has(input) ? node.inputs[input]->dtype() : DType::undefined;
}

void Raising::set(std::string_view name, AttributeValue value) {
  remove(name);
  node.attributes.push_back({std::string(name), std::move(value)});
}

void Raising::remove(std::string_view name) {
  std::erase_if(node.attributes, [name](const Attribute& attribute) { return attribute.name == name; });
}

void Raising::set_input(std::size_t index, Value* value) {
  if (node.inputs.size() <= index) node.inputs.resize(index + 1, nullptr);
  node.inputs[index] = value;
}

Value* Raising::integers(std::span<const std::int64_t> values) {
  return maker.constant(Data::of<std::int64_t>(DType::i64, {std::ssize(values)}, values));
}

Value* Raising::integer(std::int64_t value) {
  return maker.constant(Data::of<std::int64_t>(DType::i64, {}, std::span(&value, 1)));
}

Value* Raising::real(DType dtype, double value) {
  const auto make = [&](auto element) {
    using T = decltype(element);
    return maker.constant(Data::of<T>(dtype, {}, std::span<const T>(&element, 1)));
  };
  switch (dtype) {
    case DType::f16: return make(Half(static_cast<float>(value)));
    case DType::f32: return make(static_cast<float>(value));
    case DType::f64: return make(value);
    default: return nullptr;
  }
}

}  // namespace cameo::onnx
