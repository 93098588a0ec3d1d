#include "onnx/fold/index.h"

#include <cstring>
#include <limits>

namespace cameo::onnx {

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
  Ints index(shape.size(), 0);
  std::int64_t position = offset;
  while (true) {
    result.push_back(position);
    std::size_t axis = shape.size();
    while (axis-- > 0) {
      position += strides[axis];
      if (++index[axis] < shape[axis]) break;
      position -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
    if (axis == static_cast<std::size_t>(-1)) return result;
  }
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
  const std::size_t size = size_of(data.dtype());
  const Bytes source = data.bytes();
  std::vector<std::byte> bytes(at.size() * size);
  for (std::size_t i = 0; i < at.size(); ++i)
    std::memcpy(bytes.data() + i * size, source.data() + static_cast<std::size_t>(at[i]) * size, size);
  return std::make_shared<Data>(data.dtype(), std::move(shape), std::move(bytes));
}

}  // namespace cameo::onnx
