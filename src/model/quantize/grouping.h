#pragma once
// The elements of a weight that share a scale.

#include <cstdint>
#include <vector>

#include "base/index.h"
#include "onnx/graph/data.h"

namespace cameo::model {

// A weight seen as [outer, extent, inner] around the axis of its scales.
struct Grouping {
  std::vector<std::int64_t> dims;
  std::int64_t axis = 0;
  std::int64_t block =
      0;  // elements along the axis that share a scale; 0: one scale for each index of the axis

  std::int64_t extent() const { return element_at(dims, axis); }
  std::int64_t outer() const;
  std::int64_t inner() const;
  std::int64_t blocks() const { return (extent() + block - 1) / block; }  // of a blocked axis
  std::int64_t groups() const { return block == 0 ? extent() : outer() * blocks() * inner(); }
  std::vector<std::int64_t> scale_shape() const;

  // The weight with its axes in the order in which the elements of a group follow one another.
  std::vector<std::int64_t> permutation() const;
  // In that order: the number of elements of group `i`, and its place among the scales.
  std::int64_t length(std::int64_t i) const;
  std::int64_t place(std::int64_t i) const;
};

// The same elements with their axes in another order. Elements that must be computed stay in memory.
onnx::DataPtr permuted(const onnx::DataPtr& data, const std::vector<std::int64_t>& permutation);

}  // namespace cameo::model
