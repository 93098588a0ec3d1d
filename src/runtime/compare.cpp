#include "runtime/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/core.h>

#include "base/text.h"
#include "cameo/diagnostic.h"
#include "onnx/graph/size_name.h"
#include "runtime/feed.h"

namespace cameo::runtime {
namespace {

constexpr double kApart = std::numeric_limits<double>::infinity();
// Sizes to try for a dynamic axis.
constexpr std::int64_t kSizes[] = {2, 1, 3, 5, 8, 16, 32, 64, 128, 224, 320};

double distance(const Array& a, const Array& b) {
  if (a.type() != b.type() || a.shape() != b.shape()) return kApart;
  if (a.type() == ElementType::string) return std::ranges::equal(a.strings(), b.strings()) ? 0 : kApart;
  if (std::ranges::equal(a.bytes(), b.bytes())) return 0;
  const std::vector<double> left = a.to_doubles(), right = b.to_doubles();
  double most = 0, scale = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (std::isfinite(left[i])) scale = std::max(scale, std::abs(left[i]));
    if (left[i] == right[i] || (std::isnan(left[i]) && std::isnan(right[i]))) continue;
    const double apart = std::abs(left[i] - right[i]);
    most = std::isnan(apart) ? kApart : std::max(most, apart);
  }
  return most == 0 ? 0 : most / std::max(scale, std::numeric_limits<double>::min());
}

// The sizes of the i-th run: those of one name are the same.
std::vector<std::string> specs(const std::vector<ValueInfo>& inputs, std::size_t i) {
  std::map<std::string, std::int64_t> named;
  std::size_t next = i;
  const auto size_of = [&](const Dim& dim) {
    if (dim.size >= 0) return dim.size;
    if (const auto known = named.find(dim.name); known != named.end()) return known->second;
    const std::int64_t size = kSizes[std::min(next++, std::size(kSizes) - 1)];
    if (onnx::names_size(dim.name)) named.emplace(dim.name, size);
    return size;
  };
  std::vector<std::string> texts;
  for (const ValueInfo& input : inputs) {
    if (input.kind != ValueInfo::Kind::tensor || !input.shape) continue;
    std::vector<std::int64_t> shape;
    for (const Dim& dim : *input.shape) shape.push_back(size_of(dim));
    texts.push_back(fmt::format("{}=rand[{}]", input.name, join(shape, ",")));
  }
  return texts;
}

}  // namespace

double distance(const Datum& a, const Datum& b) {
  if (a.is_tensor() && b.is_tensor()) return distance(a.tensor(), b.tensor());
  if (!a.is_sequence() || !b.is_sequence()) return a.has_value() || b.has_value() ? kApart : 0;
  if (a.sequence().size() != b.sequence().size()) return kApart;
  double most = 0;
  for (std::size_t i = 0; i < a.sequence().size(); ++i)
    most = std::max(most, distance(a.sequence()[i], b.sequence()[i]));
  return most;
}

double Comparison::largest() const {
  double most = 0;
  for (const Difference& each : differences) most = std::max(most, each.largest);
  return most;
}

Comparison compare(const std::string& first, const std::string& second, int runs) {
  const SessionOptions options{.optimization = SessionOptions::Optimization::none};
  const Session a(first, options), b(second, options);
  std::vector<std::string> names;
  Comparison result;
  for (const ValueInfo& output : a.outputs()) {
    names.push_back(output.name);
    result.differences.push_back({.output = output.name});
  }
  std::optional<SessionError> refused;
  for (std::size_t i = 0; result.runs < runs && i < std::size(kSizes) + static_cast<std::size_t>(runs); ++i) {
    const auto feeds = make_feeds(b.inputs(), {.specs = specs(b.inputs(), i), .arrays = {}, .seed = i});
    std::vector<Datum> expected;
    try {
      expected = a.run(feeds, names);
    } catch (const SessionError& error) {
      refused = error;
      continue;
    }
    const std::vector<Datum> given = b.run(feeds, names);
    for (std::size_t k = 0; k < names.size(); ++k)
      result.differences[k].largest =
          std::max(result.differences[k].largest, distance(expected[k], given[k]));
    ++result.runs;
  }
  if (result.runs == 0 && refused) throw *refused;
  return result;
}

}  // namespace cameo::runtime
