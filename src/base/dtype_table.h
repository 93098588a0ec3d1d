#pragma once
// The table of element types. All names, numbers and sizes of element types in Cameo come from it.

#include <array>

#include "base/dtype.h"

namespace cameo {

// Types of PyTorch, by their number, and then types that only ONNX has. The types that ONNX has are rows
// before the quantised types that are stored as them.
inline constexpr auto kDTypes = [] {
  using enum DType;
  using K = NumberKind;
  using E = ElementType;
  return std::to_array<DTypeInfo>({
      {u8, K::integer, "u8", "uint8", "Byte", 8, E::u8, "UINT8", "u1"},
      {i8, K::integer, "i8", "int8", "Char", 8, E::i8, "INT8", "i1"},
      {i16, K::integer, "i16", "int16", "Short", 16, E::i16, "INT16", "i2"},
      {i32, K::integer, "i32", "int32", "Int", 32, E::i32, "INT32", "i4"},
      {i64, K::integer, "i64", "int64", "Long", 64, E::i64, "INT64", "i8"},
      {f16, K::floating, "f16", "float16", "Half", 16, E::f16, "FLOAT16", "f2"},
      {f32, K::floating, "f32", "float32", "Float", 32, E::f32, "FLOAT", "f4"},
      {f64, K::floating, "f64", "float64", "Double", 64, E::f64, "DOUBLE", "f8"},
      {c32, K::complex, "c32", "complex32", "ComplexHalf", 32, E::undefined, "", ""},
      {c64, K::complex, "c64", "complex64", "ComplexFloat", 64, E::c64, "COMPLEX64", "c8"},
      {c128, K::complex, "c128", "complex128", "ComplexDouble", 128, E::c128, "COMPLEX128", "c16"},
      {boolean, K::boolean, "bool", "bool", "Bool", 8, E::boolean, "BOOL", "b1"},
      {qi8, K::quantized, "qi8", "qint8", "QInt8", 8, E::i8, "", ""},
      {qu8, K::quantized, "qu8", "quint8", "QUInt8", 8, E::u8, "", ""},
      {qi32, K::quantized, "qi32", "qint32", "QInt32", 32, E::i32, "", ""},
      {bf16, K::floating, "bf16", "bfloat16", "BFloat16", 16, E::bf16, "BFLOAT16", ""},
      {qu4x2, K::quantized, "qu4x2", "quint4x2", "QUInt4x2", 8, E::undefined, "", ""},
      {qu2x4, K::quantized, "qu2x4", "quint2x4", "QUInt2x4", 8, E::undefined, "", ""},
      {bits1x8, K::other, "bits1x8", "bits1x8", "Bits1x8", 8, E::undefined, "", ""},
      {bits2x4, K::other, "bits2x4", "bits2x4", "Bits2x4", 8, E::undefined, "", ""},
      {bits4x2, K::other, "bits4x2", "bits4x2", "Bits4x2", 8, E::undefined, "", ""},
      {bits8, K::other, "bits8", "bits8", "Bits8", 8, E::undefined, "", ""},
      {bits16, K::other, "bits16", "bits16", "Bits16", 16, E::undefined, "", ""},
      {f8e5m2, K::floating, "f8e5m2", "float8_e5m2", "Float8_e5m2", 8, E::f8e5m2, "FLOAT8E5M2", ""},
      {f8e4m3fn, K::floating, "f8e4m3fn", "float8_e4m3fn", "Float8_e4m3fn", 8, E::f8e4m3fn, "FLOAT8E4M3FN",
       ""},
      {f8e5m2fnuz, K::floating, "f8e5m2fnuz", "float8_e5m2fnuz", "Float8_e5m2fnuz", 8, E::f8e5m2fnuz,
       "FLOAT8E5M2FNUZ", ""},
      {f8e4m3fnuz, K::floating, "f8e4m3fnuz", "float8_e4m3fnuz", "Float8_e4m3fnuz", 8, E::f8e4m3fnuz,
       "FLOAT8E4M3FNUZ", ""},
      {u16, K::integer, "u16", "uint16", "UInt16", 16, E::u16, "UINT16", "u2"},
      {u32, K::integer, "u32", "uint32", "UInt32", 32, E::u32, "UINT32", "u4"},
      {u64, K::integer, "u64", "uint64", "UInt64", 64, E::u64, "UINT64", "u8"},
      {f8e8m0fnu, K::floating, "f8e8m0", "float8_e8m0fnu", "Float8_e8m0fnu", 8, E::f8e8m0, "FLOAT8E8M0", ""},
      {f4e2m1fnx2, K::floating, "f4e2m1fnx2", "float4_e2m1fn_x2", "Float4_e2m1fn_x2", 8, E::undefined, "",
       ""},
      {undefined, K::other, "?", "", "", 0, E::undefined, "UNDEFINED", ""},
      {str, K::other, "string", "", "", 0, E::string, "STRING", ""},
      {u2, K::other, "u2", "", "", 2, E::u2, "UINT2", ""},
      {i2, K::other, "i2", "", "", 2, E::i2, "INT2", ""},
      {u4, K::other, "u4", "", "", 4, E::u4, "UINT4", ""},
      {i4, K::other, "i4", "", "", 4, E::i4, "INT4", ""},
      {f4e2m1, K::other, "f4e2m1", "", "", 4, E::f4e2m1, "FLOAT4E2M1", ""},
  });
}();

// The number of ONNX types, with `undefined`, which is 0.
inline constexpr std::size_t kElementTypes = 27;

// The row of an ONNX type; that of `undefined` for a number that is none.
constexpr const DTypeInfo& row_of(ElementType type) {
  const DTypeInfo* none = nullptr;
  for (const DTypeInfo& row : kDTypes) {
    if (row.onnx == type && !row.onnx_name.empty()) return row;
    if (row.dtype == DType::undefined) none = &row;
  }
  return *none;
}

}  // namespace cameo
