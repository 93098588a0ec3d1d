#include "view/document/weights.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "base/side_by_side.h"
#include "onnx/fold/element.h"

namespace cameo::view {
namespace {

// Rows or columns of the picture, and the distance between them in the weight.
struct Side {
  explicit Side(std::int64_t elements)
      : pixels(static_cast<int>(std::min<std::int64_t>(elements, kMostPixels))), size(elements) {}
  std::int64_t at(int pixel) const { return pixel * size / pixels; }
  int pixels;
  std::int64_t size;
};

// Picks elements at places that ascend, out of pieces.
class Picture {
 public:
  explicit Picture(const std::vector<std::int64_t>& shape) {
    if (shape.size() < 2) return;
    std::int64_t rest = 1;
    for (std::size_t axis = 1; axis < shape.size(); ++axis) rest *= shape[axis];
    if (shape.front() < 2 || rest < 2) return;
    const Side down(shape.front()), across(rest);
    rows = down.pixels;
    columns = across.pixels;
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        places_.push_back(down.at(row) * rest + across.at(column));
  }

  template <class T>
  void look(const std::vector<T>& piece) {
    const auto end = begin_ + static_cast<std::int64_t>(piece.size());
    while (picked.size() < places_.size() && places_[picked.size()] < end)
      picked.push_back(static_cast<double>(element_at(piece, places_[picked.size()] - begin_)));
    begin_ = end;
  }

  int rows = 0, columns = 0;
  std::vector<double> picked;

 private:
  std::vector<std::int64_t> places_;
  std::int64_t begin_ = 0;  // of the next piece
};

// Sums relative to the first element, so that they stay exact where all elements are nearly equal.
struct Sums {
  double first = 0, sum = 0, squares = 0;
  std::int64_t count = 0;

  void add(double number) {
    if (count++ == 0) first = number;
    const double distance = number - first;
    sum += distance;
    squares += distance * distance;
  }
  double mean() const { return first + sum / static_cast<double>(count); }
  double deviation() const {
    const double mean = sum / static_cast<double>(count);
    return std::sqrt(std::max(0.0, squares / static_cast<double>(count) - mean * mean));
  }
};

template <class T>
void summarize(const onnx::Data& data, WeightStatistics& result) {
  std::vector<T> numbers;
  Picture picture(data.shape());
  Sums sums;
  T least = std::numeric_limits<T>::max(), most = std::numeric_limits<T>::lowest();
  data.copy_to([&](Bytes bytes) {
    onnx::widen(data.dtype(), bytes, numbers);
    picture.look(numbers);
    for (const T number : numbers) {
      result.zeros += number == 0 ? 1 : 0;
      if constexpr (std::is_floating_point_v<T>) {
        if (!std::isfinite(number)) {
          ++result.not_finite;
          continue;
        }
      }
      least = std::min(least, number);
      most = std::max(most, number);
      sums.add(static_cast<double>(number));
    }
  });
  if (sums.count == 0) {
    result.min = result.max = result.mean = result.deviation = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  result.min = static_cast<double>(least);
  result.max = static_cast<double>(most);
  result.mean = sums.mean();
  result.deviation = sums.deviation();
  result.rows = picture.rows;
  result.columns = picture.columns;
  const double range = result.max - result.min;
  for (const double each : picture.picked)
    result.pixels.push_back(std::isfinite(each) && range > 0
                                ? static_cast<std::uint8_t>(255 * ((each - result.min) / range))
                                : std::uint8_t{0});
}

template <class T>
void count_bins(const onnx::Data& data, WeightStatistics& result) {
  const double range = result.max - result.min;
  if (!(range > 0) || !std::isfinite(range)) return;
  result.histogram.resize(kBins);
  std::vector<T> numbers;
  const double scale = static_cast<double>(kBins) / range;
  data.copy_to([&](Bytes bytes) {
    onnx::widen(data.dtype(), bytes, numbers);
    for (const T number : numbers) {
      if constexpr (std::is_floating_point_v<T>)
        if (!std::isfinite(number)) continue;
      const double place = (static_cast<double>(number) - result.min) * scale;
      int& bin = result.histogram[std::min(static_cast<std::size_t>(std::max(place, 0.0)), kBins - 1)];
      bin += bin < std::numeric_limits<int>::max() ? 1 : 0;
    }
  });
}

}  // namespace

bool has_statistics(DType dtype) {
  return onnx::with_type(dtype, [](auto) {});
}

WeightStatistics statistics(const onnx::Data& data) {
  WeightStatistics result;
  onnx::with_type(data.dtype(), [&]<class T>(onnx::Tag<T>) {
    summarize<T>(data, result);
    count_bins<T>(data, result);
  });
  return result;
}

std::vector<WeightStatistics> all_statistics(std::span<const onnx::DataPtr> constants) {
  std::vector<WeightStatistics> results(constants.size());
  side_by_side(constants.size(), [&](std::size_t i, std::size_t) {
    if (constants[i]) results[i] = statistics(*constants[i]);
  });
  return results;
}

}  // namespace cameo::view
