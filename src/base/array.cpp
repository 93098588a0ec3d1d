#include "cameo/array.h"

#include <fmt/core.h>

#include "base/checked.h"
#include "base/text.h"
#include "cameo/diagnostic.h"

namespace cameo {
namespace {

[[noreturn]] void fail(Code code, std::string message) {
  throw Error(Diagnostic{.code = code, .message = std::move(message)});
}

std::size_t element_count(ElementType type, const std::vector<std::int64_t>& shape) {
  std::size_t count = 1;
  bool empty = false;
  for (const std::int64_t size : shape) {
    if (size < 0)
      fail(Code::bad_shape, fmt::format("the shape {} has a negative size", to_string(type, shape)));
    if (size == 0) empty = true;
    if (empty) continue;
    const auto product = checked_mul(count, static_cast<std::size_t>(size));
    if (!product) fail(Code::bad_shape, fmt::format("the shape {} is too large", to_string(type, shape)));
    count = *product;
  }
  return empty ? 0 : count;
}

std::size_t checked_count(ElementType type, const std::vector<std::int64_t>& shape, std::size_t bytes) {
  const std::size_t bits = bits_per_element(type);
  if (bits == 0) fail(Code::bad_type, fmt::format("an array of type {} cannot be made of bytes", name(type)));
  const std::size_t count = element_count(type, shape);
  const auto total = checked_mul(count, bits);
  const std::size_t needed = total ? *total / 8 + (*total % 8 != 0) : 0;
  if (!total || needed != bytes) {
    fail(Code::bad_shape, fmt::format("the shape {} does not fit {} bytes", to_string(type, shape), bytes));
  }
  return count;
}

bool is_aligned(ElementType type, const std::byte* data) {
  const std::size_t size = bits_per_element(type) / 8;
  return size <= 1 || reinterpret_cast<std::uintptr_t>(data) % std::min<std::size_t>(size, 8) == 0;
}

}  // namespace

Array Array::view(ElementType type, std::vector<std::int64_t> shape, std::span<const std::byte> bytes,
                  std::shared_ptr<const void> owner) {
  if (!is_aligned(type, bytes.data())) return owning(type, std::move(shape), {bytes.begin(), bytes.end()});
  Array array;
  array.count_ = checked_count(type, shape, bytes.size());
  array.type_ = type;
  array.shape_ = std::move(shape);
  array.bytes_ = bytes;
  array.owner_ = std::move(owner);
  return array;
}

Array Array::owning(ElementType type, std::vector<std::int64_t> shape, std::vector<std::byte> bytes) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  const std::span<const std::byte> contents = *owner;
  return view(type, std::move(shape), contents, std::move(owner));
}

Array Array::strings(std::vector<std::int64_t> shape, std::vector<std::string> elements) {
  Array array;
  array.type_ = ElementType::string;
  array.count_ = element_count(ElementType::string, shape);
  if (array.count_ != elements.size()) {
    fail(Code::bad_shape, fmt::format("the shape {} does not fit {} strings",
                                      to_string(ElementType::string, shape), elements.size()));
  }
  array.shape_ = std::move(shape);
  array.owner_ = std::make_shared<const std::vector<std::string>>(std::move(elements));
  return array;
}

std::span<const std::string> Array::strings() const {
  expect(ElementType::string);
  return *static_cast<const std::vector<std::string>*>(owner_.get());
}

void Array::expect(ElementType type) const {
  if (type_ == type) return;
  fail(Code::bad_type, fmt::format("the elements of {} are not {}", to_string(type_, shape_), name(type)));
}

std::string to_string(ElementType type, std::span<const std::int64_t> shape) {
  return fmt::format("{}[{}]", name(type), join(shape, ", "));
}

}  // namespace cameo
