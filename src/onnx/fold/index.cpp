#include "onnx/fold/index.h"

#include <cstring>
#include <limits>

#include "cameo/diagnostic.h"

namespace cameo::onnx {
namespace {

template <std::size_t size>
void copy_elements(Bytes from, const Ints& at, std::vector<std::byte>& to) {
  for (std::size_t i = 0; i < at.size(); ++i)
    std::memcpy(to.data() + i * size, from.data() + static_cast<std::size_t>(at[i]) * size, size);
}

}  // namespace

std::int64_t count(const Ints& shape) {
  std::int64_t product = 1;
  bool overflow = false;
  for (std::int64_t dim : shape) {
    if (dim == 0) return 0;
    overflow = overflow || __builtin_mul_overflow(product, dim, &product);
  }
  return overflow ? std::numeric_limits<std::int64_t>::max() : product;
}

Ints contiguous_strides(const Ints& shape) {
  Ints strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

Ints positions(const Ints& shape, const Ints& strides, std::int64_t offset) {
  Ints result{};
  const std::int64_t total = count(shape);
  if (total == 0) return result;
  result.reserve(static_cast<std::size_t>(total));
  const std::size_t outer = shape.empty() ? 0 : shape.size() - 1;
  const std::int64_t run = shape.empty() ? 1 : shape.back(), step = shape.empty() ? 0 : strides.back();
  Ints index(outer, 0);
  std::int64_t start = offset;
  while (static_cast<std::int64_t>(result.size()) < total) {
    for (std::int64_t i = 0; i < run; ++i) result.push_back(start + i * step);
    for (std::size_t axis = outer; axis-- > 0;) {
      start += strides[axis];
      if (++index[axis] < shape[axis]) break;
      start -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return result;
}

Ints broadcast_positions(const Ints& from, const Ints& to) {
  const Ints own = contiguous_strides(from);
  Ints strides(to.size(), 0);
  const std::size_t shift = to.size() - from.size();
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] != 1) strides[i + shift] = own[i];
  return positions(to, strides);
}

DataPtr take(const Data& data, const Ints& at, Ints shape) {
  std::vector<std::byte> bytes(at.size() * size_of(data.dtype()));
  switch (size_of(data.dtype())) {
    case 1: copy_elements<1>(data.bytes(), at, bytes); break;
    case 2: copy_elements<2>(data.bytes(), at, bytes); break;
    case 4: copy_elements<4>(data.bytes(), at, bytes); break;
    case 8: copy_elements<8>(data.bytes(), at, bytes); break;
    case 16: copy_elements<16>(data.bytes(), at, bytes); break;
    default: throw InternalError("an element of unknown size");
  }
  return std::make_shared<Data>(data.dtype(), std::move(shape), std::move(bytes));
}

}  // namespace cameo::onnx
