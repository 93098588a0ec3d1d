#pragma once
// Which elements of an operand the elements of a result are taken from, in row-major order of the result.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "base/index.h"
#include "onnx/graph/data.h"

namespace cameo::onnx {

using Ints = std::vector<std::int64_t>;

std::int64_t count(const Ints& shape);  // the largest number there is where it would be larger
Ints contiguous_strides(const Ints& shape);

// Positions in memory of the elements of an array of `shape` and `strides`, which starts at `offset`.
Ints positions(const Ints& shape, const Ints& strides, std::int64_t offset = 0);
// Strides in a contiguous operand of shape `from` that is broadcast to `to`.
Ints broadcast_strides(const Ints& from, const Ints& to);
inline Ints broadcast_positions(const Ints& from, const Ints& to) {
  return positions(to, broadcast_strides(from, to));
}

// The elements of `data` from `positions` on, `run` at each, as a constant of `shape`.
DataPtr take(const Data& data, const Ints& positions, Ints shape, std::int64_t run = 1);
// The elements that positions(shape, strides, offset) names.
DataPtr take_view(const Data& data, const Ints& shape, const Ints& strides, std::int64_t offset = 0);
DataPtr broadcast(const DataPtr& data, const Ints& shape);

// Calls walk(copy), where copy(to, from) copies `size` bytes: quickly where that is the size of a number.
template <class Walk>
void with_copy_of(std::size_t size, Walk walk) {
  const auto fixed = [&walk]<std::size_t n>(std::integral_constant<std::size_t, n>) {
    walk([](std::byte* to, const std::byte* from) { std::memcpy(to, from, n); });
  };
  switch (size) {
    case 1: return fixed(std::integral_constant<std::size_t, 1>{});
    case 4: return fixed(std::integral_constant<std::size_t, 4>{});
    case 8: return fixed(std::integral_constant<std::size_t, 8>{});
    default: return walk([size](std::byte* to, const std::byte* from) { std::copy_n(from, size, to); });
  }
}

// A negative axis counts from the end.
inline std::int64_t wrap_axis(std::int64_t axis, std::size_t rank) {
  return axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
}
inline std::size_t axis_index(std::int64_t axis, std::size_t rank) {
  return static_cast<std::size_t>(wrap_axis(axis, rank));
}

}  // namespace cameo::onnx
