#include "onnx/check/elements.h"

#include <cstring>

#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

#include "base/checked.h"

namespace cameo::onnx {
namespace {

// By TensorProto.DataType.
constexpr Storage kStorage[] = {
    {0, {}, 4},               // undefined
    {32, "float_data", 4},    // f32
    {8, "int32_data", 4},     // u8
    {8, "int32_data", 4},     // i8
    {16, "int32_data", 4},    // u16
    {16, "int32_data", 4},    // i16
    {32, "int32_data", 4},    // i32
    {64, "int64_data", 4},    // i64
    {0, "string_data", 4},    // str
    {8, "int32_data", 4},     // bool
    {16, "int32_data", 4},    // f16
    {64, "double_data", 4},   // f64
    {32, "uint64_data", 4},   // u32
    {64, "uint64_data", 4},   // u64
    {64, "float_data", 8},    // c64
    {128, "double_data", 8},  // c128
    {16, "int32_data", 4},    // bf16
    {8, "int32_data", 4},     // f8e4m3fn
    {8, "int32_data", 4},     // f8e4m3fnuz
    {8, "int32_data", 4},     // f8e5m2
    {8, "int32_data", 4},     // f8e5m2fnuz
    {4, "int32_data", 2},     // u4
    {4, "int32_data", 2},     // i4
    {4, "int32_data", 2},     // f4e2m1
    {8, "int32_data", 4},     // f8e8m0
    {2, "int32_data", 1},     // u2
    {2, "int32_data", 1},     // i2
};

}  // namespace

const Storage* storage(std::optional<std::int32_t> data_type) {
  if (!data_type || *data_type <= proto::kUndefined || *data_type > proto::kInt2) return nullptr;
  return &kStorage[*data_type];
}

std::optional<std::uint64_t> element_count(std::span<const std::int64_t> dims) {
  std::optional<std::uint64_t> count = 1;
  for (const std::int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    if (count) count = checked_mul(*count, static_cast<std::uint64_t>(dim));
  }
  return count;
}

std::optional<std::uint64_t> raw_size(std::uint64_t elements, const Storage& storage) {
  const auto bits = checked_mul(elements, static_cast<std::uint64_t>(storage.bits));
  return bits ? std::optional(*bits / 8 + (*bits % 8 != 0 ? 1 : 0)) : std::nullopt;
}

std::vector<std::int64_t> int64_elements(const proto::Tensor& tensor) try {
  std::vector<std::int64_t> elements;
  if (const auto raw = tensor.raw(); raw && raw->size() >= sizeof(std::int64_t)) {
    elements.resize(raw->size() / sizeof(std::int64_t));
    std::memcpy(elements.data(), raw->data(), elements.size() * sizeof(std::int64_t));
  }
  for (const Bytes piece : tensor.int64_data.pieces) {
    const char* at = reinterpret_cast<const char*>(piece.data());
    const char* end = at + piece.size();
    while (at != end) elements.push_back(static_cast<std::int64_t>(protozero::decode_varint(&at, end)));
  }
  return elements;
} catch (const protozero::exception&) {
  return {};
}

}  // namespace cameo::onnx
