#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "onnx/proto/messages.h"

namespace cameo::onnx {

// The form in which TensorProto stores the elements of a type.
struct Storage {
  int bits;                // of an element in raw data; 0: none, as for strings
  std::string_view field;  // where they are if not in raw_data
  std::uint64_t per_four;  // entries of the field for four elements
};
// Null for a type that does not exist.
const Storage* storage(std::optional<std::int32_t> data_type);

// The product of the dimensions; absent if one is negative or it is beyond 64 bits.
std::optional<std::uint64_t> element_count(std::span<const std::int64_t> dims);

// The bytes of that many elements in raw data; absent if there are too many.
std::optional<std::uint64_t> raw_size(std::uint64_t elements, const Storage& storage);

// The elements of an i64 tensor without external data, from any of its fields; none if they are damaged.
std::vector<std::int64_t> int64_elements(const proto::Tensor& tensor);

}  // namespace cameo::onnx
