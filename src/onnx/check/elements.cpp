#include "onnx/check/elements.h"

#include <cstring>

#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

#include "base/checked.h"
#include "base/dtype_table.h"
#include "base/index.h"

namespace cameo::onnx {
namespace {

constexpr std::string_view field_of(DType dtype) {
  switch (dtype) {
    case DType::f32:
    case DType::c64: return "float_data";
    case DType::f64:
    case DType::c128: return "double_data";
    case DType::i64: return "int64_data";
    case DType::u32:
    case DType::u64: return "uint64_data";
    case DType::str: return "string_data";
    default: return "int32_data";
  }
}

// A complex element takes two entries of its field; elements below a byte share one entry.
constexpr Storage storage_of(const DTypeInfo& row) {
  const std::size_t per_four = row.kind == NumberKind::complex ? 8
                               : row.bits > 0 && row.bits < 8  ? row.bits / 2
                                                               : 4;
  return {static_cast<int>(row.bits), field_of(row.dtype), per_four};
}

// By TensorProto.DataType.
constexpr auto kStorage = [] {
  std::array<Storage, kElementTypes> all{};
  for (std::size_t number = 1; number < all.size(); ++number)
    all[number] = storage_of(row_of(static_cast<ElementType>(number)));
  return all;
}();

}  // namespace

const Storage* storage(std::optional<std::int32_t> data_type) {
  if (!data_type || *data_type <= proto::kUndefined || *data_type > proto::kInt2) return nullptr;
  return &element_at(kStorage, *data_type);
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
