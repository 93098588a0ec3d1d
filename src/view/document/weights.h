#pragma once
// Statistics of weights.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "onnx/graph/data.h"
#include "view/document/document.h"

namespace cameo::view {

inline constexpr std::size_t kBins = 64;
inline constexpr int kMostPixels = 24;  // on each side of a picture

struct WeightStatistics {
  double min = 0, max = 0, mean = 0, deviation = 0;  // of the finite elements; NaN if there is none
  std::int64_t zeros = 0, not_finite = 0;
  std::vector<int> histogram;  // kBins counts, or empty
  // The weight as a matrix of its first dimension by all others, with at most kMostPixels rows and columns
  // picked at equal distances. Empty without two dimensions.
  int rows = 0, columns = 0;
  std::vector<std::uint8_t> pixels;  // 0 is the least element, 255 the largest
};

// Reads the elements twice, in pieces. `data` has a real type with arithmetic.
WeightStatistics statistics(const onnx::Data& data);

// Whether statistics() can be computed.
bool has_statistics(DType dtype);

// The statistics of each constant that is not null, by two threads.
std::vector<WeightStatistics> all_statistics(std::span<const onnx::DataPtr> constants);

}  // namespace cameo::view
