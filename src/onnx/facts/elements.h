#pragma once
#include <string_view>

namespace cameo::onnx::facts {

// Names of element types by TensorProto.DataType; 0 is none.
inline constexpr std::string_view kElements[] = {
    "",           "f32",    "u8",         "i8",  "u16", "i16",    "i32",    "i64",  "str",
    "bool",       "f16",    "f64",        "u32", "u64", "c64",    "c128",   "bf16", "f8e4m3fn",
    "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz", "u4",  "i4",  "f4e2m1", "f8e8m0", "u2",   "i2"};

}  // namespace cameo::onnx::facts
