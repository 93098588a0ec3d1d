#include "rules/match.h"

#include <algorithm>

namespace cameo::rules {

using onnx::Node;
using onnx::Value;

Node* made_by(const Value* value, std::initializer_list<std::string_view> operators) {
  Node* node = value ? value->producer : nullptr;
  if (!node || !node->domain.empty()) return nullptr;
  return std::ranges::find(operators, node->op) == operators.end() ? nullptr : node;
}

const Value* input(const Node& node, std::size_t index) {
  return index < node.inputs.size() ? node.inputs[index] : nullptr;
}

std::int64_t integer(const Node& node, std::string_view attribute, std::int64_t otherwise) {
  const auto* value = node.attribute_if<std::int64_t>(attribute);
  return value ? *value : otherwise;
}

std::optional<Ints> integers(const Value* value) {
  if (!value || !value->constant() || !(is_integral(value->dtype()))) return std::nullopt;
  Ints result;
  for (std::int64_t i = 0; i < value->data->numel(); ++i) result.push_back(value->data->integer(i));
  return result;
}

std::optional<Ints> integers(const Node& node, std::size_t index, std::string_view attribute) {
  if (const Value* value = input(node, index)) return integers(value);
  if (const auto* value = node.attribute_if<Ints>(attribute)) return *value;
  return std::nullopt;
}

onnx::DataPtr data_of(const Ints& numbers) {
  return onnx::Data::of<std::int64_t>(DType::i64, {std::ssize(numbers)},
                                      std::span<const std::int64_t>(numbers));
}

std::optional<Ints> from_front(std::optional<Ints> axes, std::optional<std::int64_t> rank) {
  if (!axes) return std::nullopt;
  for (std::int64_t& axis : *axes) {
    if (axis < 0 && !rank) return std::nullopt;
    if (axis < 0) axis += *rank;
    if (axis < 0 || (rank && axis >= *rank)) return std::nullopt;
  }
  return axes;
}

std::optional<Ints> from_front(std::optional<Ints> axes, const Value* of) {
  return from_front(std::move(axes), of->has_rank() ? std::optional(of->rank()) : std::nullopt);
}

bool is_real(const Value* value) {
  const DType dtype = value->dtype();
  return value->type.kind == onnx::Type::Kind::tensor &&
         (dtype == DType::f16 || dtype == DType::f32 || dtype == DType::f64);
}

bool quantized(const Node& node) {
  return std::ranges::any_of(node.inputs,
                             [](const Value* value) { return made_by(value, {"DequantizeLinear"}); });
}

bool same_shape(const Value* a, const Value* b) { return a->has_rank() && a->type.shape == b->type.shape; }

std::optional<Ints> permutation(const Node& transpose) {
  if (const auto* given = transpose.attribute_if<Ints>("perm")) {
    Ints sorted = *given;
    std::ranges::sort(sorted);
    if (sorted != consecutive(0, std::ssize(sorted))) return std::nullopt;
    return *given;
  }
  if (!transpose.inputs[0]->has_rank()) return std::nullopt;
  Ints reversed;
  for (std::int64_t axis = transpose.inputs[0]->rank(); axis-- > 0;) reversed.push_back(axis);
  return reversed;
}

std::optional<Padding> padding(const Node& pad) {
  const auto amounts = integers(pad, 1, "pads");
  if (!amounts) return std::nullopt;
  const std::size_t count = amounts->size() / 2;
  Padding result;
  if (!input(pad, 3)) {
    const auto half = amounts->begin() + std::ssize(*amounts) / 2;
    result.before.assign(amounts->begin(), half);
    result.behind.assign(half, amounts->end());
    return result;
  }
  const auto axes = integers(input(pad, 3));
  if (!axes || axes->size() != count || !pad.inputs[0]->has_rank()) return std::nullopt;
  const std::int64_t rank = pad.inputs[0]->rank();
  result.before.assign(as_size(rank), 0);
  result.behind = result.before;
  for (std::size_t i = 0; i < count; ++i) {
    element_at(result.before, (*axes)[i]) = (*amounts)[i];
    element_at(result.behind, (*axes)[i]) = (*amounts)[i + count];
  }
  return result;
}

}  // namespace cameo::rules
