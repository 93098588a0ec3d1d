#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace cameo::calibration {

// The numbers of elements in parts of equal width of a range.
class Histogram {
 public:
  Histogram(double least, double most, std::size_t parts) : least_(least), most_(most), counts_(parts) {}

  void add(std::span<const float> elements);

  // The range that leaves out an equal share of the elements at both ends.
  struct Range {
    double least, most;
  };
  Range within(double percentile) const;

  // Of magnitudes, from 0: the limit at which 128 steps tell the most about the distribution, in the sense of
  // the Kullback-Leibler divergence of the elements, limited to it, from their rounded distribution.
  double limit() const;

 private:
  double least_, most_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace cameo::calibration
