#include "verify/compare.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "verify/parts.h"

namespace cameo::verify {
namespace {

bool same_type(const Array& a, const Array& b) { return a.type() == b.type() && a.shape() == b.shape(); }

VerifiedOutput compare_one(const Array& expected, const Array& got, std::string name,
                           std::optional<double> asked) {
  VerifiedOutput out;
  out.name = std::move(name);
  out.type = to_string(expected.type(), expected.shape());
  if (!same_type(expected, got)) {
    out.agrees = false;
    out.fault =
        fmt::format("PyTorch gives {}, and the model {}", out.type, to_string(got.type(), got.shape()));
    return out;
  }
  // As numbers, integers of 64 bits may agree without being equal.
  const bool equal = std::ranges::equal(expected.bytes(), got.bytes());
  if (equal) return out;
  const Difference error = difference(expected, got);
  out.absolute = error.absolute;
  out.relative = error.relative;
  const double allowed = tolerance(expected.type(), asked);
  out.agrees = allowed > 0 && out.relative <= allowed;
  return out;
}

VerifiedOutput missing(std::string name, std::string fault) {
  VerifiedOutput out;
  out.name = std::move(name);
  out.agrees = false;
  out.fault = std::move(fault);
  return out;
}

}  // namespace

std::vector<double> numbers(const Array& array) {
  const auto widen = [](auto elements) { return std::vector<double>(elements.begin(), elements.end()); };
  const auto* data = array.bytes().data();
  if (array.type() == ElementType::c64)
    return widen(std::span(reinterpret_cast<const float*>(data), array.count() * 2));
  if (array.type() == ElementType::c128)
    return widen(std::span(reinterpret_cast<const double*>(data), array.count() * 2));
  return array.to_doubles();
}

double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double error = std::abs(a - b);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

double tolerance(ElementType type, std::optional<double> asked) {
  switch (type) {
    case ElementType::f32:
    case ElementType::f64:
    case ElementType::c64:
    case ElementType::c128: return asked.value_or(1e-5);
    case ElementType::f16: return asked.value_or(1e-3);
    case ElementType::bf16: return asked.value_or(1e-2);
    default: return 0;
  }
}

Difference difference(const Array& expected, const Array& got) {
  const std::vector<double> a = numbers(expected);
  const std::vector<double> b = numbers(got);
  double error = 0;
  double scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error = std::max(error, distance(a[i], b[i]));
    if (std::isfinite(a[i])) scale = std::max(scale, std::abs(a[i]));
  }
  if (error == 0) return {};
  return {error, scale > 0 ? error / scale : std::numeric_limits<double>::infinity()};
}

std::vector<VerifiedOutput> compare(const std::vector<Array>& expected, const std::vector<ValueInfo>& outputs,
                                    const std::vector<Datum>& got, std::optional<double> asked) {
  std::vector<VerifiedOutput> all;
  std::size_t next = 0;
  const auto put = [&](const Array& array, const std::string& name) {
    if (next >= expected.size()) return all.push_back(missing(name, "PyTorch gives no such result"));
    all.push_back(compare_one(with_parts(expected[next++]), array, name, asked));
  };
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i].is_tensor()) {
      put(got[i].tensor(), outputs[i].name);
    } else if (got[i].is_sequence()) {
      const std::vector<Array>& items = got[i].sequence();
      for (std::size_t k = 0; k < items.size(); ++k) put(items[k], fmt::format("{}[{}]", outputs[i].name, k));
    }
  }
  for (; next < expected.size(); ++next)
    all.push_back(
        missing(fmt::format("result {}", next + 1), "the model does not give this result of PyTorch"));
  return all;
}

}  // namespace cameo::verify
