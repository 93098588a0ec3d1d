#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "onnx/text/torch_text.h"

namespace cameo::onnx::torch_text {
namespace {

// ATen's notation for the numbers of one tensor or matrix: equally wide, in one format, perhaps scaled.
class Notation {
 public:
  explicit Notation(std::span<const double> elements) {
    const auto [least, most] = exponents(elements);
    const bool whole =
        std::ranges::all_of(elements, [](double z) { return !std::isfinite(z) || z == std::ceil(z); });
    if (whole) {
      scientific_ = most > 9;
      width_ = scientific_ ? 11 : most + 1;
      general_ = !scientific_;
    } else if (most - least > 4) {
      scientific_ = true;
      width_ = std::abs(most) > 99 || std::abs(least) > 99 ? 12 : 11;
    } else if (most > 5 || most < 0) {
      width_ = 7;
      scale_ = std::pow(10, most - 1);
    } else {
      width_ = most == 0 ? 7 : most + 6;
    }
  }

  std::string operator()(double element) const {
    const double z = element / scale_;
    if (general_ || !std::isfinite(z)) return fmt::format("{:>{}g}", z, width_);
    return scientific_ ? fmt::format("{:>{}.4e}", z, width_) : fmt::format("{:>{}.4f}", z, width_);
  }
  int width() const { return width_; }
  // The text before scaled numbers: "0.001 * ".
  std::string scale_text() const { return scale_ == 1 ? "" : fmt::format("{:g} * ", scale_); }
  bool scaled() const { return scale_ != 1; }

 private:
  // Digits before the point, of the least and the greatest magnitude.
  static std::pair<int, int> exponents(std::span<const double> elements) {
    double least = -1, most = -1;
    for (const double element : elements) {
      const double z = std::abs(element);
      if (!std::isfinite(z)) continue;
      least = least < 0 ? z : std::min(least, z);
      most = std::max(most, z);
    }
    const auto digits = [](double z) { return z <= 0 ? 1 : static_cast<int>(std::floor(std::log10(z))) + 1; };
    return {digits(least), digits(most)};
  }

  bool general_ = false, scientific_ = false;
  int width_ = 0;
  double scale_ = 1;
};

// Line ends are spaces, as PyTorch makes them in a dump.
std::string matrix(std::span<const double> elements, std::size_t columns, std::size_t indent) {
  constexpr std::size_t kLine = 80;
  const Notation number(elements);
  const std::string margin(indent, ' ');
  const std::size_t most = (kLine - indent) / static_cast<std::size_t>(number.width() + 1);
  std::string out = margin;
  for (std::size_t first = 0; first < columns; first += most) {
    const std::size_t last = std::min(first + most, columns);
    if (most < columns)
      out += fmt::format("{}Columns {} to {}{}", first == 0 ? "" : " ", first + 1, last, margin);
    if (number.scaled()) out += number.scale_text() + margin;
    for (std::size_t row = 0; row < elements.size(); row += columns) {
      if (row > 0) out += margin + (number.scaled() ? " " : "");
      for (std::size_t column = first; column < last; ++column) out += number(elements[row + column]) + " ";
    }
  }
  return out;
}

// Matrix after matrix, the first index running fastest.
std::string matrices(std::span<const std::int64_t> shape, std::span<const double> elements) {
  const std::size_t outer = shape.size() - 2;
  const auto columns = static_cast<std::size_t>(shape.back());
  const std::size_t size = static_cast<std::size_t>(shape[outer]) * columns;
  std::vector<std::int64_t> index(outer, 0);
  std::string out;
  for (std::size_t n = 0; n < elements.size() / size; ++n) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < outer; ++i)
      at = at * static_cast<std::size_t>(shape[i]) + static_cast<std::size_t>(index[i]);
    if (n > 0) out += " ";
    out += "(";
    for (const std::int64_t i : index) out += fmt::format("{},", i + 1);
    out += ".,.) =  " + matrix(elements.subspan(at * size, size), columns, 1);
    for (std::size_t i = 0; i < outer && ++index[i] == shape[i]; ++i) index[i] = 0;
  }
  return out;
}

}  // namespace

std::string scalar_text(std::int64_t element) { return fmt::format("{{{}}}", element); }
std::string scalar_text(double element) { return fmt::format("{{{:g}}}", element); }

std::string tensor_text(const std::string& scalar, std::span<const std::int64_t> shape,
                        std::span<const double> elements) {
  std::string out;
  if (shape.size() == 1 && !elements.empty()) {
    const Notation number(elements);
    out = number.scale_text();
    for (const double element : elements) out += number(element) + " ";
  } else if (!elements.empty()) {
    out = shape.size() == 2 ? matrix(elements, static_cast<std::size_t>(shape[1]), 0)
                            : matrices(shape, elements);
  }
  return out + fmt::format("[ CPU{}Type{{{}}} ]", scalar, join(shape, ","));
}

}  // namespace cameo::onnx::torch_text
