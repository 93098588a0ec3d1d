#include <fmt/core.h>

#include "onnx/graph/errors.h"
#include "onnx/infer/infer.h"

namespace cameo::onnx {

Inference::Inference(sym::Context& symbols, const Node& node, std::size_t outputs, const Visible& visible)
    : symbols_(symbols),
      node_(node),
      visible_(visible),
      results_(outputs, Inferred{.type = {Type::Kind::unknown, DType::undefined, std::nullopt}}) {}

const Value& Inference::input(std::size_t index) const {
  if (!has(index)) throw InternalError(fmt::format("{} without its input {}", node_.op, index));
  return *node_.inputs[index];
}

Elements Inference::elements(std::size_t index) const {
  if (!has(index)) return std::nullopt;
  const Value& value = input(index);
  if (value.elements) return value.elements;
  const bool integers = is_integral(value.dtype()) || value.dtype() == DType::boolean;
  if (!value.constant() || !integers || value.data->numel() > kMaxElements) return std::nullopt;
  std::vector<Dim> result;
  for (std::int64_t i = 0; i < value.data->numel(); ++i) result.emplace_back(value.data->integer(i));
  return result;
}

std::optional<std::vector<std::int64_t>> Inference::integers(std::size_t index) const {
  const Elements found = elements(index);
  if (!found) return std::nullopt;
  std::vector<std::int64_t> result;
  for (const Dim& element : *found) {
    const auto number = known(element);
    if (!number) return std::nullopt;
    result.push_back(*number);
  }
  return result;
}

std::optional<double> Inference::number(std::size_t index) const {
  if (!has(index) || !input(index).constant() || input(index).data->numel() != 1) return std::nullopt;
  return input(index).data->real(0);
}

std::optional<Dim> Inference::formula(std::size_t index) const {
  const Elements found = elements(index);
  return found && found->size() == 1 ? std::optional(found->front()) : std::nullopt;
}

std::int64_t Inference::integer(std::string_view name, std::int64_t otherwise) const {
  const auto* value = node_.attribute_if<std::int64_t>(name);
  return value ? *value : otherwise;
}

std::string_view Inference::text(std::string_view name, std::string_view otherwise) const {
  const auto* value = node_.attribute_if<std::string>(name);
  return value ? std::string_view(*value) : otherwise;
}

std::vector<std::int64_t> Inference::list(std::string_view name) const {
  const auto* value = node_.attribute_if<std::vector<std::int64_t>>(name);
  return value ? *value : std::vector<std::int64_t>{};
}

Graph* Inference::graph(std::string_view name) const {
  Graph* const* value = node_.attribute_if<Graph*>(name);
  if (!value) throw InternalError(fmt::format("{} without its {}", node_.op, name));
  return *value;
}

DType Inference::dtype_attribute(std::string_view name, DType otherwise) const {
  const auto* value = node_.attribute_if<std::int64_t>(name);
  if (!value) return otherwise;
  const auto dtype = from_onnx(static_cast<int>(*value));
  if (!dtype) fail(fmt::format("the element type {} is unknown", *value));
  return *dtype;
}

void Inference::set(std::size_t output, DType dtype, std::optional<Shape> shape) {
  set_type(output, {.dtype = dtype, .shape = std::move(shape)});
}

void Inference::set_type(std::size_t output, Type type) {
  if (output >= results_.size()) return;
  if (type.shape)
    for (Dim& dim : *type.shape) dim = symbols_.simplify(dim);
  results_[output].type = std::move(type);
}

void Inference::set_elements(Elements elements, std::size_t output) {
  if (output >= results_.size() || !elements) return;
  const auto& shape = results_[output].type.shape;
  if (!shape || product(*shape) != std::ssize(*elements)) return;
  if (std::ssize(*elements) > kMaxElements) return;
  results_[output].elements = std::move(elements);
}

Dim Inference::fresh(std::string_view hint) { return symbols_.symbol(hint, {0, std::nullopt}); }

Shape Inference::fresh_shape(std::size_t rank, std::string_view hint) {
  Shape shape;
  for (std::size_t i = 0; i < rank; ++i) shape.push_back(fresh(hint));
  return shape;
}

std::optional<Shape> Inference::fresh_shape_like(std::size_t index, std::string_view hint) {
  constexpr std::int64_t kMostAxes = 1024;
  const auto& length = shape(index);
  const auto rank = length && length->size() == 1 ? known(length->front()) : std::nullopt;
  if (!rank || *rank < 0 || *rank > kMostAxes) return std::nullopt;
  return fresh_shape(static_cast<std::size_t>(*rank), hint);
}

// The larger one, but 0 if one is 0.
Dim broadcast_size(const Dim& a, const Dim& b) { return sym::max(a, b) * sym::min(sym::min(a, b), 1); }

Dim Inference::broadcast(const Dim& a, const Dim& b) {
  if (a == b || known(b) == 1) return a;
  if (known(a) == 1) return b;
  if (known(a) && known(b))
    fail(fmt::format("sizes {} and {} do not broadcast", sym::to_string(a), sym::to_string(b)));
  if (known(a)) return a;
  if (known(b)) return b;
  if (equal(a, b)) return a;
  if (at_least(a, 2)) return a;
  if (at_least(b, 2)) return b;
  if (at_least(a, 0) && at_least(b, 0)) return broadcast_size(a, b);
  return fresh("broadcast");
}

std::optional<Shape> Inference::broadcast(const std::optional<Shape>& a, const std::optional<Shape>& b) {
  if (!a || !b) return std::nullopt;
  const Shape& longer = a->size() >= b->size() ? *a : *b;
  const Shape& shorter = a->size() >= b->size() ? *b : *a;
  Shape result = longer;
  const std::size_t shift = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i)
    result[i + shift] = broadcast(longer[i + shift], shorter[i]);
  return result;
}

Dim Inference::same(const Dim& a, const Dim& b) {
  if (known(a)) {
    if (known(b) && known(a) != known(b))
      fail(fmt::format("sizes {} and {} differ", sym::to_string(a), sym::to_string(b)));
    return a;
  }
  return known(b) ? b : a;
}

std::size_t Inference::axis(std::int64_t axis, std::size_t rank) const {
  const auto size = static_cast<std::int64_t>(rank);
  const std::int64_t wrapped = axis < 0 ? axis + size : axis;
  if (wrapped < 0 || wrapped >= size)
    fail(fmt::format("axis {} is out of range for a tensor with {} axes", axis, rank));
  return static_cast<std::size_t>(wrapped);
}

void Inference::fail(std::string message) const { throw ShapeMismatch(std::move(message)); }

void like_first(Inference& f) { f.set_type(0, f.input(0).type); }

}  // namespace cameo::onnx
