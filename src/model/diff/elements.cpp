#include "model/diff/elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/half.h"
#include "model/file/numbers.h"
#include "model/file/tensor_bytes.h"

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about

std::vector<std::byte> string_bytes(const Tensor& tensor) {
  std::vector<std::byte> bytes;
  for (const Text text : tensor.string_data) {
    const std::uint64_t size = text.size();
    const Bytes length = std::as_bytes(std::span(&size, 1)), letters = std::as_bytes(std::span(text));
    bytes.insert(bytes.end(), length.begin(), length.end());
    bytes.insert(bytes.end(), letters.begin(), letters.end());
  }
  return bytes;
}

// Several elements in a byte, a byte in an entry.
std::vector<std::byte> packed_bytes(const Tensor& tensor) {
  std::vector<std::byte> bytes;
  for (const std::int64_t entry : integers(tensor.int32_data)) bytes.push_back(static_cast<std::byte>(entry));
  return bytes;
}

template <class T, class Number>
Distance distance_of(Bytes a, Bytes b, Number number) {
  Distance result{.count = a.size() / sizeof(T), .absolute = 0.0, .relative = 0.0};
  for (std::size_t i = 0; i < result.count; ++i) {
    const std::byte *one = a.data() + i * sizeof(T), *other = b.data() + i * sizeof(T);
    if (std::memcmp(one, other, sizeof(T)) == 0) continue;
    ++result.differing;
    T left, right;
    std::memcpy(&left, one, sizeof(T));
    std::memcpy(&right, other, sizeof(T));
    const double x = number(left), y = number(right);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    const double far = std::isfinite(x - y) ? std::abs(x - y) : std::numeric_limits<double>::infinity();
    const double size = std::max(std::abs(x), std::abs(y));
    result.absolute = std::max(*result.absolute, far);
    result.relative = std::max(*result.relative, std::isfinite(size) ? far / size : far);
  }
  return result;
}

template <class T>
Distance distance_of(Bytes a, Bytes b) {
  return distance_of<T>(a, b, [](T value) { return static_cast<double>(value); });
}

}  // namespace

TensorBytes::TensorBytes(const Tensor& tensor, DataFiles& files) {
  if (tensor.external())
    view_ = files.find(tensor).bytes();
  else if (const auto raw = tensor.raw())
    view_ = *raw;
  else if (tensor.data_type == kString)
    made_ = string_bytes(tensor);
  else if (made_ = typed_bytes(tensor); made_.empty())
    made_ = packed_bytes(tensor);
}

std::optional<Distance> distance(std::optional<std::int32_t> data_type, Bytes a, Bytes b) {
  if (std::ranges::equal(a, b)) return std::nullopt;
  if (a.size() != b.size()) return Distance{};
  switch (data_type.value_or(0)) {
    case kFloat:
    case kComplex64: return distance_of<float>(a, b);
    case kDouble:
    case kComplex128: return distance_of<double>(a, b);
    case kFloat16: return distance_of<std::uint16_t>(a, b, float_from_f16);
    case kBfloat16: return distance_of<std::uint16_t>(a, b, float_from_bf16);
    case kInt8: return distance_of<std::int8_t>(a, b);
    case kBool:
    case kUint8: return distance_of<std::uint8_t>(a, b);
    case kInt16: return distance_of<std::int16_t>(a, b);
    case kUint16: return distance_of<std::uint16_t>(a, b);
    case kInt32: return distance_of<std::int32_t>(a, b);
    case kUint32: return distance_of<std::uint32_t>(a, b);
    case kInt64: return distance_of<std::int64_t>(a, b);
    case kUint64: return distance_of<std::uint64_t>(a, b);
    default: return Distance{};
  }
}

}  // namespace cameo::model
