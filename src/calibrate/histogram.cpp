#include "calibrate/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cameo::calibration {
namespace {

constexpr std::size_t kSteps = 128;  // of an integer of 8 bits with a sign
constexpr std::size_t kStride = 16;  // parts between two limits that are tried

// The counts of the first `parts` parts, with everything beyond in the last one, against the same counts
// spread evenly over the parts of each step that are not empty.
double divergence(std::span<const std::uint64_t> counts, std::size_t parts) {
  std::vector<double> limited(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(parts));
  limited.back() += static_cast<double>(
      std::accumulate(counts.begin() + static_cast<std::ptrdiff_t>(parts), counts.end(), std::uint64_t{0}));
  std::vector<double> rounded(parts);
  for (std::size_t step = 0; step < kSteps; ++step) {
    const std::size_t begin = step * parts / kSteps, end = (step + 1) * parts / kSteps;
    double sum = 0, filled = 0;
    for (std::size_t i = begin; i < end; ++i) {
      sum += static_cast<double>(counts[i]);
      filled += counts[i] != 0 ? 1 : 0;
    }
    for (std::size_t i = begin; i < end; ++i)
      if (counts[i] != 0) rounded[i] = sum / filled;
  }
  const double all = std::accumulate(limited.begin(), limited.end(), 0.0);
  const double kept = std::accumulate(rounded.begin(), rounded.end(), 0.0);
  double result = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    if (limited[i] == 0) continue;
    constexpr double kSmall = 1e-9;  // a part that the rounded distribution does not have
    result +=
        limited[i] / all * std::log(limited[i] / all / std::max(rounded[i] / std::max(kept, 1.0), kSmall));
  }
  return result;
}

}  // namespace

void Histogram::add(std::span<const float> elements) {
  const double width = most_ - least_;
  const auto parts = static_cast<double>(counts_.size());
  for (const float element : elements) {
    const double place = width > 0 ? (static_cast<double>(element) - least_) / width * parts : 0;
    ++counts_[static_cast<std::size_t>(std::clamp(place, 0.0, parts - 1))];
  }
}

Histogram::Range Histogram::within(double percentile) const {
  const auto all = static_cast<double>(std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}));
  const double outside = all * (100 - percentile) / 200;
  const double part = (most_ - least_) / static_cast<double>(counts_.size());
  Range range{least_, most_};
  double sum = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    sum += static_cast<double>(counts_[i]);
    if (sum > outside) {
      range.least = least_ + static_cast<double>(i) * part;
      break;
    }
  }
  sum = 0;
  for (std::size_t i = counts_.size(); i-- > 0;) {
    sum += static_cast<double>(counts_[i]);
    if (sum > outside) {
      range.most = least_ + static_cast<double>(i + 1) * part;
      break;
    }
  }
  return range;
}

double Histogram::limit() const {
  std::size_t best = counts_.size();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t parts = kSteps; parts <= counts_.size(); parts += kStride) {
    const double found = divergence(counts_, parts);
    if (found >= least) continue;
    least = found;
    best = parts;
  }
  return most_ * static_cast<double>(best) / static_cast<double>(counts_.size());
}

}  // namespace cameo::calibration
