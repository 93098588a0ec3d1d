#pragma once
#include <cstddef>
#include <vector>

#include "onnx/proto/messages.h"

namespace cameo::model {

// The elements of a tensor's typed fields (float_data, int32_data …) as contiguous little-endian bytes; empty
// for element types that do not fill bytes. Throws Error (stage read) if a number is damaged.
std::vector<std::byte> typed_bytes(const onnx::proto::Tensor& tensor);

}  // namespace cameo::model
