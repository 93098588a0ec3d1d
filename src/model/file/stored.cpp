#include "model/file/stored.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "base/half.h"
#include "model/file/numbers.h"

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about

template <class Wire, class Out>
std::vector<Out> from_raw(Bytes raw) {
  std::vector<Out> out(raw.size() / sizeof(Wire));
  for (std::size_t i = 0; i < out.size(); ++i) {
    Wire element{};
    std::memcpy(&element, raw.data() + i * sizeof(Wire), sizeof(Wire));
    out[i] = static_cast<Out>(element);  // NOLINT(bugprone-signed-char-misuse): i8 has a sign
  }
  return out;
}

Stored from_raw(std::int32_t type, Bytes raw) {
  switch (type) {
    case kFloat:
    case kComplex64: return from_raw<float, float>(raw);
    case kDouble:
    case kComplex128: return from_raw<double, double>(raw);
    case kInt8: return from_raw<std::int8_t, std::int64_t>(raw);
    case kInt16: return from_raw<std::int16_t, std::int64_t>(raw);
    case kInt32: return from_raw<std::int32_t, std::int64_t>(raw);
    case kInt64: return from_raw<std::int64_t, std::int64_t>(raw);
    case kUint16:
    case kFloat16:
    case kBfloat16: return from_raw<std::uint16_t, std::int64_t>(raw);
    case kUint32: return from_raw<std::uint32_t, std::uint64_t>(raw);
    case kUint64: return from_raw<std::uint64_t, std::uint64_t>(raw);
    default: return from_raw<std::uint8_t, std::int64_t>(raw);
  }
}

double number(std::int32_t type, double element) {
  if (type != kFloat16 && type != kBfloat16) return element;
  const auto bits = static_cast<std::uint16_t>(static_cast<std::int64_t>(element) & 0xFFFF);
  return type == kFloat16 ? float_from_f16(bits) : float_from_bf16(bits);
}

bool is_real(std::int32_t type) {
  return type >= kFloat && type <= kBfloat16 && type != kString && type != kComplex64 && type != kComplex128;
}

}  // namespace

Stored stored(const Tensor& tensor) {
  const std::int32_t type = tensor.data_type.value_or(kUndefined);
  if (tensor.external()) return {};
  if (const auto raw = tensor.raw()) return from_raw(type, *raw);
  switch (type) {
    case kFloat:
    case kComplex64: return floats(tensor.float_data);
    case kDouble:
    case kComplex128: return doubles(tensor.double_data);
    case kInt64: return integers(tensor.int64_data);
    case kUint32:
    case kUint64: return unsigned_integers(tensor.uint64_data);
    case kString: return tensor.string_data;
    default: return integers(tensor.int32_data);
  }
}

std::optional<std::vector<double>> real_elements(const Tensor& tensor) {
  const std::int32_t type = tensor.data_type.value_or(kUndefined);
  if (!is_real(type) || tensor.external()) return std::nullopt;
  return std::visit(
      [type](const auto& elements) {
        std::vector<double> out;
        using T = typename std::decay_t<decltype(elements)>::value_type;
        if constexpr (!std::is_same_v<T, std::string_view>)
          for (const T element : elements) out.push_back(number(type, static_cast<double>(element)));
        return out;
      },
      stored(tensor));
}

}  // namespace cameo::model
