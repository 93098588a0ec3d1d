#pragma once
// The elements of a tensor as its file stores them.

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "onnx/proto/messages.h"

namespace cameo::model {

// Whole numbers are integers; so are the bits of 16 and 8-bit floats, and the bytes that hold several smaller
// elements. A complex number is two floats.
using Stored = std::variant<std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<float>,
                            std::vector<double>, std::vector<std::string_view>>;

// From raw data or from the field of the type. External data and types that do not exist: nothing.
Stored stored(const onnx::proto::Tensor& tensor);

// The elements of a real tensor as numbers; absent for strings, complex numbers and elements below a byte.
std::optional<std::vector<double>> real_elements(const onnx::proto::Tensor& tensor);

}  // namespace cameo::model
