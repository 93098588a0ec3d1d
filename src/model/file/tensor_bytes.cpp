#include "model/file/tensor_bytes.h"

#include <cstring>

#include "model/file/numbers.h"

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about

template <class To, class From>
std::vector<std::byte> narrowed(const std::vector<From>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(To));
  std::byte* to = bytes.data();
  for (const From number : numbers) {
    const auto element = static_cast<To>(number);
    std::memcpy(to, &element, sizeof(To));
    to += sizeof(To);
  }
  return bytes;
}

}  // namespace

std::vector<std::byte> typed_bytes(const Tensor& tensor) {
  switch (tensor.data_type.value_or(0)) {
    case kFloat:
    case kComplex64: return narrowed<float>(floats(tensor.float_data));
    case kDouble:
    case kComplex128: return narrowed<double>(doubles(tensor.double_data));
    case kInt64: return narrowed<std::int64_t>(integers(tensor.int64_data));
    case kUint64: return narrowed<std::uint64_t>(unsigned_integers(tensor.uint64_data));
    case kUint32: return narrowed<std::uint32_t>(unsigned_integers(tensor.uint64_data));
    case kInt32: return narrowed<std::int32_t>(integers(tensor.int32_data));
    case kInt16:
    case kUint16:
    case kFloat16:
    case kBfloat16: return narrowed<std::uint16_t>(integers(tensor.int32_data));
    case kBool:
    case kInt8:
    case kUint8:
    case kFloat8E4M3FN:
    case kFloat8E4M3FNUZ:
    case kFloat8E5M2:
    case kFloat8E5M2FNUZ:
    case kFloat8E8M0: return narrowed<std::uint8_t>(integers(tensor.int32_data));
    default: return {};
  }
}

}  // namespace cameo::model
