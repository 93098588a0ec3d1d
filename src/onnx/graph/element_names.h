#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace cameo::onnx {

// Of a TensorProto.DataType.
std::string onnx_name(std::optional<std::int32_t> type);   // "FLOAT", "INT64"
std::string plain_name(std::optional<std::int32_t> type);  // "float32", "int64"; "?" if there is none

}  // namespace cameo::onnx
