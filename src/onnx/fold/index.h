#pragma once
// Which elements of an operand the elements of a result are taken from, in row-major order of the result.

#include <cstdint>
#include <vector>

#include "onnx/data.h"

namespace cameo::onnx {

using Ints = std::vector<std::int64_t>;

std::int64_t count(const Ints& shape);  // the largest number there is where it would be larger
Ints contiguous_strides(const Ints& shape);

// Positions in memory of the elements of an array of `shape` and `strides`, which starts at `offset`.
Ints positions(const Ints& shape, const Ints& strides, std::int64_t offset = 0);
// Positions in a contiguous operand of shape `from` that is broadcast to `to`.
Ints broadcast_positions(const Ints& from, const Ints& to);

// The elements of `data` at `positions`, as a constant of `shape`.
DataPtr take(const Data& data, const Ints& positions, Ints shape);

// A negative axis counts from the end.
inline std::int64_t wrap_axis(std::int64_t axis, std::size_t rank) {
  return axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
}

}  // namespace cameo::onnx
