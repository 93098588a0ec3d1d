#include "base/dtype.h"

#include <algorithm>
#include <array>

#include "cameo/diagnostic.h"

namespace cameo {
namespace {

using enum DType;

// Storage classes are named as the C++ writer names them: c10::toString(dtype) + "Storage".
constexpr std::array kTable = {
    DTypeInfo{u8, "u8", "uint8", "ByteStorage", 1, 1},
    DTypeInfo{i8, "i8", "int8", "CharStorage", 1, 1},
    DTypeInfo{i16, "i16", "int16", "ShortStorage", 2, 2},
    DTypeInfo{i32, "i32", "int32", "IntStorage", 4, 4},
    DTypeInfo{i64, "i64", "int64", "LongStorage", 8, 8},
    DTypeInfo{f16, "f16", "float16", "HalfStorage", 2, 2},
    DTypeInfo{f32, "f32", "float32", "FloatStorage", 4, 4},
    DTypeInfo{f64, "f64", "float64", "DoubleStorage", 8, 8},
    DTypeInfo{c32, "c32", "complex32", "ComplexHalfStorage", 4, 2},
    DTypeInfo{c64, "c64", "complex64", "ComplexFloatStorage", 8, 4},
    DTypeInfo{c128, "c128", "complex128", "ComplexDoubleStorage", 16, 8},
    DTypeInfo{boolean, "bool", "bool", "BoolStorage", 1, 1},
    DTypeInfo{qi8, "qi8", "qint8", "QInt8Storage", 1, 1},
    DTypeInfo{qu8, "qu8", "quint8", "QUInt8Storage", 1, 1},
    DTypeInfo{qi32, "qi32", "qint32", "QInt32Storage", 4, 4},
    DTypeInfo{bf16, "bf16", "bfloat16", "BFloat16Storage", 2, 2},
    DTypeInfo{qu4x2, "qu4x2", "quint4x2", "QUInt4x2Storage", 1, 1},
    DTypeInfo{qu2x4, "qu2x4", "quint2x4", "QUInt2x4Storage", 1, 1},
    DTypeInfo{bits1x8, "bits1x8", "bits1x8", "Bits1x8Storage", 1, 1},
    DTypeInfo{bits2x4, "bits2x4", "bits2x4", "Bits2x4Storage", 1, 1},
    DTypeInfo{bits4x2, "bits4x2", "bits4x2", "Bits4x2Storage", 1, 1},
    DTypeInfo{bits8, "bits8", "bits8", "Bits8Storage", 1, 1},
    DTypeInfo{bits16, "bits16", "bits16", "Bits16Storage", 2, 2},
    DTypeInfo{f8e5m2, "f8e5m2", "float8_e5m2", "Float8_e5m2Storage", 1, 1},
    DTypeInfo{f8e4m3fn, "f8e4m3fn", "float8_e4m3fn", "Float8_e4m3fnStorage", 1, 1},
    DTypeInfo{f8e5m2fnuz, "f8e5m2fnuz", "float8_e5m2fnuz", "Float8_e5m2fnuzStorage", 1, 1},
    DTypeInfo{f8e4m3fnuz, "f8e4m3fnuz", "float8_e4m3fnuz", "Float8_e4m3fnuzStorage", 1, 1},
    DTypeInfo{u16, "u16", "uint16", "UInt16Storage", 2, 2},
    DTypeInfo{u32, "u32", "uint32", "UInt32Storage", 4, 4},
    DTypeInfo{u64, "u64", "uint64", "UInt64Storage", 8, 8},
    DTypeInfo{f8e8m0fnu, "f8e8m0fnu", "float8_e8m0fnu", "Float8_e8m0fnuStorage", 1, 1},
    DTypeInfo{f4e2m1fnx2, "f4e2m1fnx2", "float4_e2m1fn_x2", "Float4_e2m1fn_x2Storage", 1, 1},
};

constexpr std::array kOfOnnxAlone = {
    DTypeInfo{undefined, "?", "", "", 0, 0},   DTypeInfo{str, "str", "", "", 0, 0},
    DTypeInfo{u2, "u2", "", "", 0, 0},         DTypeInfo{i2, "i2", "", "", 0, 0},
    DTypeInfo{u4, "u4", "", "", 0, 0},         DTypeInfo{i4, "i4", "", "", 0, 0},
    DTypeInfo{f4e2m1, "f4e2m1", "", "", 0, 0},
};

template <typename Predicate>
std::optional<DType> find(Predicate matches) {
  const auto* row = std::find_if(kTable.begin(), kTable.end(), matches);
  if (row == kTable.end()) return std::nullopt;
  return row->dtype;
}

}  // namespace

const DTypeInfo& info(DType dtype) {
  const auto is_it = [dtype](const DTypeInfo& r) { return r.dtype == dtype; };
  if (const auto* row = std::find_if(kTable.begin(), kTable.end(), is_it); row != kTable.end()) return *row;
  const auto* row = std::find_if(kOfOnnxAlone.begin(), kOfOnnxAlone.end(), is_it);
  if (row == kOfOnnxAlone.end()) throw InternalError("a dtype without a row in the table of dtypes");
  return *row;
}

std::optional<DType> dtype_from_name(std::string_view name) {
  return find([name](const DTypeInfo& r) { return r.name == name || r.torch == name; });
}

std::optional<DType> dtype_from_storage(std::string_view storage) {
  return find([storage](const DTypeInfo& r) { return r.storage == storage; });
}

std::optional<DType> dtype_from_number(std::int64_t number) {
  return find([number](const DTypeInfo& r) { return static_cast<std::int64_t>(r.dtype) == number; });
}

bool is_floating(DType dtype) {
  switch (dtype) {
    case f16:
    case f32:
    case f64:
    case bf16:
    case f8e5m2:
    case f8e4m3fn:
    case f8e5m2fnuz:
    case f8e4m3fnuz:
    case f8e8m0fnu:
    case f4e2m1fnx2: return true;
    default: return false;
  }
}

bool is_integral(DType dtype) {
  switch (dtype) {
    case u8:
    case i8:
    case i16:
    case i32:
    case i64:
    case u16:
    case u32:
    case u64: return true;
    default: return false;
  }
}

bool is_complex(DType dtype) { return dtype == c32 || dtype == c64 || dtype == c128; }

bool is_quantized(DType dtype) {
  return dtype == qi8 || dtype == qu8 || dtype == qi32 || dtype == qu4x2 || dtype == qu2x4;
}

}  // namespace cameo
