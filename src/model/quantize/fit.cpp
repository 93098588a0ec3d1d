#include "model/quantize/fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/half.h"
#include "model/quantize/round.h"
#include "onnx/fold/element.h"

namespace cameo::model {
namespace {

constexpr int kCandidates = 25;
constexpr double kStep = 0.02;  // of the scale, from one candidate to the next

float smallest_positive(DType type) {
  if (type == DType::f16) return 0x1p-24F;
  return std::numeric_limits<float>::min();
}

struct Extent {
  float least = 0, most = 0;  // with 0 between them
  bool finite = true;
};

Extent extent_of(std::span<const float> group) {
  float least = 0, most = 0, probe = 0;
  for (const float number : group) {
    least = number < least ? number : least;
    most = number > most ? number : most;
    probe += number * 0;  // NaN if the number is not finite
  }
  return {least, most, probe == 0};
}

double squared_error(std::span<const float> group, const GroupFit& fit, const Integers& integers) {
  const auto least = static_cast<float>(integers.least() - fit.zero_point);
  const auto most = static_cast<float>(integers.most() - fit.zero_point);
  double sum = 0;
  for (const float number : group) {
    const double error{number - nearest(number / fit.scale, least, most) * fit.scale};
    sum += error * error;
  }
  return sum;
}

// The scale with the least squared error for the integers that `fit` gives.
GroupFit refined(std::span<const float> group, const GroupFit& fit, const Integers& integers, DType stored) {
  const auto least = static_cast<float>(integers.least() - fit.zero_point);
  const auto most = static_cast<float>(integers.most() - fit.zero_point);
  double both = 0, own = 0;
  for (const float number : group) {
    const auto q = static_cast<double>(nearest(number / fit.scale, least, most));
    both += q * static_cast<double>(number);
    own += q * q;
  }
  return own == 0 || both <= 0 ? fit : GroupFit{stored_scale(both / own, stored), fit.zero_point};
}

GroupFit search(std::span<const float> group, const Extent& extent, const Integers& integers, DType stored) {
  GroupFit best = fit_range(extent.least, extent.most, integers, stored);
  double error = squared_error(group, best, integers);
  const auto consider = [&](const GroupFit& candidate) {
    const double its = squared_error(group, candidate, integers);
    if (its >= error) return;
    best = candidate;
    error = its;
  };
  for (int i = 1; i < kCandidates; ++i) {
    const double share = 1 - kStep * i;
    consider(fit_range(extent.least * share, extent.most * share, integers, stored));
  }
  consider(refined(group, best, integers, stored));
  return best;
}

void add_errors(std::span<const float> group, const GroupFit& fit, const Integers& integers,
                FitErrors& into) {
  const auto least = static_cast<float>(integers.least() - fit.zero_point);
  const auto most = static_cast<float>(integers.most() - fit.zero_point);
  float largest = 0;
  for (const float number : group) {
    const float error = std::abs(number - nearest(number / fit.scale, least, most) * fit.scale);
    largest = error > largest ? error : largest;
    into.sum += static_cast<double>(error);
    into.squares += static_cast<double>(error) * static_cast<double>(error);
    into.weight_squares += static_cast<double>(number) * static_cast<double>(number);
  }
  into.largest = std::max(into.largest, static_cast<double>(largest));
  into.count += std::ssize(group);
}

}  // namespace

int Integers::least() const {
  switch (type) {
    case DType::i8: return reduced ? -64 : symmetric ? -127 : -128;
    case DType::i4: return -8;
    default: return 0;
  }
}

int Integers::most() const {
  switch (type) {
    case DType::i8: return reduced ? 64 : 127;
    case DType::u8: return 255;
    case DType::i4: return 7;
    default: return 15;
  }
}

int Integers::middle() const { return type == DType::u8 ? 128 : type == DType::u4 ? 8 : 0; }

void FitErrors::add(const FitErrors& other) {
  largest = std::max(largest, other.largest);
  sum += other.sum;
  squares += other.squares;
  weight_squares += other.weight_squares;
  count += other.count;
}

float stored_scale(double scale, DType type) {
  auto rounded = static_cast<float>(scale);
  if (type == DType::f16) rounded = Half(rounded);
  if (type == DType::bf16) rounded = BFloat16(rounded);
  return std::max(rounded, smallest_positive(type));
}

GroupFit fit_range(double least, double most, const Integers& integers, DType stored) {
  if (least == 0 && most == 0) return {1, static_cast<std::int16_t>(integers.middle())};
  if (integers.symmetric) {
    const auto half = static_cast<float>(integers.most() - integers.middle());
    float scale = stored_scale(std::max(-least, most) / static_cast<double>(half), stored);
    if (std::isinf(scale * half))
      scale = std::nextafter(scale, 0.0F);  // the largest element is the largest float
    return {scale, static_cast<std::int16_t>(integers.middle())};
  }
  const float scale = stored_scale((most - least) / (integers.most() - integers.least()), stored);
  const double zero = std::nearbyint(integers.least() - least / static_cast<double>(scale));
  return {scale, static_cast<std::int16_t>(std::clamp(zero, static_cast<double>(integers.least()),
                                                      static_cast<double>(integers.most())))};
}

void each_piece(const onnx::Data& data, const std::function<void(std::span<const float>)>& use) {
  std::vector<float> numbers;
  data.copy_to([&](Bytes bytes) {
    onnx::widen(data.dtype(), bytes, numbers);
    use(numbers);
  });
}

Fit fit(const onnx::DataPtr& weight, const Grouping& grouping, const Integers& integers) {
  Fit result;
  result.scales.resize(as_size(grouping.groups()));
  result.zero_points.resize(result.scales.size());
  std::vector<float> group;
  std::int64_t next = 0;
  const auto complete = [&](std::span<const float> elements) {
    const Extent extent = extent_of(elements);
    result.finite = result.finite && extent.finite;
    if (!extent.finite) return;
    const GroupFit found = integers.search ? search(elements, extent, integers, weight->dtype())
                                           : fit_range(extent.least, extent.most, integers, weight->dtype());
    add_errors(elements, found, integers, result.errors);
    const auto place = static_cast<std::size_t>(grouping.place(next++));
    result.scales[place] = found.scale;
    result.zero_points[place] = found.zero_point;
  };
  each_piece(*permuted(weight, grouping.permutation()), [&](std::span<const float> piece) {
    while (!piece.empty() && result.finite) {
      const std::size_t missing = as_size(grouping.length(next)) - group.size();
      if (group.empty() && piece.size() >= missing) {
        complete(piece.first(missing));
        piece = piece.subspan(missing);
        continue;
      }
      const std::size_t taken = std::min(missing, piece.size());
      group.insert(group.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(taken));
      piece = piece.subspan(taken);
      if (taken < missing) continue;
      complete(group);
      group.clear();
    }
  });
  return result;
}

}  // namespace cameo::model
