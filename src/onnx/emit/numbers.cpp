#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "cameo/diagnostic.h"
#include "onnx/emit/tables.h"
#include "onnx/fold/element.h"
#include "onnx/infer/infer.h"

namespace cameo::onnx {
namespace {

// Out of range: the nearest number of the element type.
template <class To, class From>
To nearest(From value, DType dtype) {
  if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    if (std::isnan(value)) return 0;
    const int digits = static_cast<int>(size_of(dtype)) * 8 - (std::is_signed_v<To> ? 1 : 0);
    const From limit = std::ldexp(From{1}, digits);
    const To most = static_cast<To>(std::numeric_limits<std::uint64_t>::max() >> (64 - digits));
    if (value >= limit) return most;
    if (value < (std::is_signed_v<To> ? -limit : From{0})) return std::is_signed_v<To> ? -most - 1 : To{0};
  }
  return static_cast<To>(value);
}

template <class Number>
DataPtr scalar_data(DType dtype, Number value) {
  DataPtr result;
  with_type(dtype, [&]<class T>(Tag<T>) {
    const T element = dtype == DType::boolean ? static_cast<T>(value != 0) : nearest<T>(value, dtype);
    result = make<T>(dtype, {}, {element});
  });
  if (!result) throw InternalError(fmt::format("no scalars of type {}", name(dtype)));
  return result;
}

DataPtr integer_data(DType dtype, std::vector<std::int64_t> shape, std::span<const std::int64_t> values) {
  DataPtr result;
  with_type(dtype, [&]<class T>(Tag<T>) {
    std::vector<T> elements;
    for (std::int64_t value : values) elements.push_back(static_cast<T>(value));
    result = make<T>(dtype, std::move(shape), elements);
  });
  if (!result) throw InternalError(fmt::format("no integers of type {}", name(dtype)));
  return result;
}

std::optional<std::vector<std::int64_t>> all_known(std::span<const Dim> numbers) {
  std::vector<std::int64_t> result;
  for (const Dim& number : numbers) {
    const auto value = known(number);
    if (!value) return std::nullopt;
    result.push_back(*value);
  }
  return result;
}

}  // namespace

Emitted Emit::scalar(DType dtype, double value) { return {this, constant(scalar_data(dtype, value))}; }
Emitted Emit::scalar(DType dtype, std::int64_t value) { return {this, constant(scalar_data(dtype, value))}; }

Emitted Emit::ints(std::span<const std::int64_t> values) {
  return {this, constant(Data::of<std::int64_t>(DType::i64, {std::ssize(values)}, values))};
}
Emitted Emit::ints(std::initializer_list<std::int64_t> values) {
  return {this, ints(std::span<const std::int64_t>(values.begin(), values.size()))};
}

Emitted Emit::dim(const Dim& number) { return {this, elements(DType::i64, {}, {number})}; }

Emitted Emit::dims(const Shape& numbers) {
  return {this, elements(DType::i64, {std::ssize(numbers)}, numbers)};
}

Emitted Emit::elements(DType dtype, Shape shape, std::vector<Dim> numbers) {
  for (Dim& number : numbers) number = simplify(number);
  const auto sizes = all_known(shape);
  if (!sizes) throw InternalError("formulas for a tensor whose shape is not known");
  if (const auto values = all_known(numbers)) return {this, constant(integer_data(dtype, *sizes, *values))};
  std::string key;
  auto put = [&key](auto number) { key.append(reinterpret_cast<const char*>(&number), sizeof number); };
  put(dtype);
  put(sizes->size());
  for (std::int64_t size : *sizes) put(size);
  for (const Dim& number : numbers) put(number);
  auto [found, inserted] = tables_->symbolic.try_emplace(std::move(key), nullptr);
  if (inserted) {
    found->second = model_.add_value({.dtype = dtype, .shape = std::move(shape)});
    found->second->elements = std::move(numbers);
  }
  return {this, found->second};
}

Dim Emit::number(Value* value) {
  if (value->elements && value->elements->size() == 1) return simplify(value->elements->front());
  if (value->constant()) return value->data->integer(0);
  const sym::Range range = value->dtype() == DType::boolean ? sym::Range{0, 1} : sym::kAnyInteger;
  const Dim symbol = sym().symbol("n", range);
  bind_number(symbol, value);
  value->elements = std::vector<Dim>{symbol};
  return symbol;
}

Dim Emit::fresh_dim(std::string_view hint) { return sym().symbol(hint, {0, std::nullopt}); }

Dim Emit::simplify(const Dim& number) { return known(number) ? number : sym().simplify(number); }

void Emit::bind_dim(const Dim& symbol, Value* value, std::int64_t axis) {
  tables_->carriers[symbol].push_back({value, axis});
}

void Emit::bind_number(const Dim& symbol, Value* scalar) {
  tables_->carriers[symbol].push_back({scalar, -1});
}

void Emit::define(const Dim& symbol, const Dim& formula) { tables_->definitions.emplace(symbol, formula); }

void Emit::carry(Value* value) {
  if (value->type.kind != Type::Kind::tensor || !value->type.shape) return;
  const Graph* home = value->producer ? value->producer->graph : value->graph;
  for (std::size_t axis = 0; axis < value->type.shape->size(); ++axis) {
    const Dim& dim = (*value->type.shape)[axis];
    if (known(dim)) continue;
    std::vector<Carrier>& carriers = tables_->carriers[dim];
    const bool told = std::any_of(carriers.begin(), carriers.end(), [home](const Carrier& carrier) {
      const Value* by = carrier.value;
      return (by->producer ? by->producer->graph : by->graph) == home;
    });
    if (!told) carriers.push_back({value, static_cast<std::int64_t>(axis)});
    // Where a run gets past this value, a number that is its size is not negative.
    if (sym().less(dim, 0) == sym::Truth::unknown) sym().assume_less_equal(0, dim);
  }
}

}  // namespace cameo::onnx
