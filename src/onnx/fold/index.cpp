#include "onnx/fold/index.h"

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
  Ints result(as_size(count(shape)));
  const std::size_t outer = shape.empty() ? 0 : shape.size() - 1;
  const std::int64_t run = shape.empty() ? 1 : shape.back(), step = shape.empty() ? 0 : strides.back();
  Ints index(outer, 0);
  std::int64_t start = offset;
  for (auto to = result.begin(); to != result.end();) {
    for (std::int64_t i = 0; i < run; ++i) *to++ = start + i * step;
    for (std::size_t axis = outer; axis-- > 0;) {
      start += strides[axis];
      if (++index[axis] < shape[axis]) break;
      start -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return result;
}

Ints broadcast_strides(const Ints& from, const Ints& to) {
  const Ints own = contiguous_strides(from);
  Ints strides(to.size(), 0);
  const std::size_t shift = to.size() - from.size();
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] != 1) strides[i + shift] = own[i];
  return strides;
}

DataPtr take(const Data& data, const Ints& positions, Ints shape, std::int64_t run) {
  const std::size_t element = size_of(data.dtype()), size = static_cast<std::size_t>(run) * element;
  const std::byte* from = data.bytes().data();
  std::vector<std::byte> bytes(positions.size() * size);
  with_copy_of(size, [&](auto copy) {
    for (std::byte* to = bytes.data(); const std::int64_t position : positions) {
      copy(to, from + static_cast<std::size_t>(position) * element);
      to += size;
    }
  });
  return std::make_shared<Data>(data.dtype(), std::move(shape), std::move(bytes));
}

DataPtr take_view(const Data& data, const Ints& shape, const Ints& strides, std::int64_t offset) {
  if (count(shape) == 0) return std::make_shared<Data>(data.dtype(), shape, std::vector<std::byte>());
  if (shape.empty()) return take(data, {offset}, shape);
  const Ints starts =
      positions({shape.begin(), shape.end() - 1}, {strides.begin(), strides.end() - 1}, offset);
  if (strides.back() == 1) return take(data, starts, shape, shape.back());
  const std::size_t size = size_of(data.dtype());
  const std::ptrdiff_t step = strides.back() * static_cast<std::ptrdiff_t>(size);
  const std::byte* all = data.bytes().data();
  std::vector<std::byte> bytes(as_size(count(shape)) * size);
  with_copy_of(size, [&](auto copy) {
    for (std::byte* to = bytes.data(); const std::int64_t start : starts) {
      const std::byte* from = all + start * static_cast<std::ptrdiff_t>(size);
      for (std::int64_t i = 0; i < shape.back(); ++i, to += size) copy(to, from + i * step);
    }
  });
  return std::make_shared<Data>(data.dtype(), shape, std::move(bytes));
}

DataPtr broadcast(const DataPtr& data, const Ints& shape) {
  return data->shape() == shape ? data : take_view(*data, shape, broadcast_strides(data->shape(), shape));
}

}  // namespace cameo::onnx
