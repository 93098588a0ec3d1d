#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cameo/array.h"

namespace cameo {

// Element types, with the numbers of TorchScript (c10::ScalarType), which occur in serialized programs:
// `dtype=6`. Types below zero exist in ONNX only: no saved program has them, and nothing computes with them.
enum class DType : std::int8_t {
  undefined = -7,  // not known
  str = -6,
  u2 = -5,
  i2 = -4,
  u4 = -3,
  i4 = -2,
  f4e2m1 = -1,
  u8 = 0,
  i8 = 1,
  i16 = 2,
  i32 = 3,
  i64 = 4,
  f16 = 5,
  f32 = 6,
  f64 = 7,
  c32 = 8,
  c64 = 9,
  c128 = 10,
  boolean = 11,
  qi8 = 12,
  qu8 = 13,
  qi32 = 14,
  bf16 = 15,
  qu4x2 = 16,
  qu2x4 = 17,
  bits1x8 = 18,
  bits2x4 = 19,
  bits4x2 = 20,
  bits8 = 21,
  bits16 = 22,
  f8e5m2 = 23,
  f8e4m3fn = 24,
  f8e5m2fnuz = 25,
  f8e4m3fnuz = 26,
  u16 = 27,
  u32 = 28,
  u64 = 29,
  f8e8m0fnu = 44,
  f4e2m1fnx2 = 45,
};

// The kind of numbers of a type. Types of kind `other` have no arithmetic here.
enum class NumberKind : std::uint8_t { boolean, integer, floating, complex, quantized, other };

// A row of the table of element types (base/dtype_table.h).
struct DTypeInfo {
  DType dtype;
  NumberKind kind;
  std::string_view name;       // Cameo's own short name, used in `--input` and in all output: "f32"
  std::string_view torch;      // PyTorch's name: "float32"; empty: PyTorch lacks the type
  std::string_view scalar;     // c10::toString(dtype): "Float"; the pickle's storage class is "FloatStorage"
  std::size_t bits;            // of an element in a storage; 0: elements have no fixed size
  ElementType onnx;            // the ONNX type that stores the elements; undefined: there is none
  std::string_view onnx_name;  // "FLOAT"; empty: ONNX lacks the type
  std::string_view numpy;      // kind and bytes: "f4"; empty: NumPy lacks the type

  constexpr std::size_t size() const { return bits / 8; }  // bytes; 0 if elements do not fill bytes
  // Bytes that a change of byte order reverses together.
  constexpr std::size_t swap() const { return kind == NumberKind::complex ? size() / 2 : size(); }
};

const DTypeInfo& info(DType dtype);
// The row of `undefined` for a number that is not an ONNX type. Never a quantised type.
const DTypeInfo& info(ElementType type);
inline std::string_view name(DType dtype) { return info(dtype).name; }
inline std::size_t size_of(DType dtype) { return info(dtype).size(); }

std::optional<DType> dtype_from_name(std::string_view name);            // "f32" or "float32"
std::optional<DType> dtype_from_storage(std::string_view storage);      // "FloatStorage"
std::optional<DType> dtype_from_number(std::int64_t number);            // PyTorch's: 6
std::optional<ElementType> element_from_numpy(std::string_view numpy);  // "f4"
inline std::int64_t torch_number(DType dtype) { return static_cast<std::int64_t>(dtype); }

bool is_floating(DType dtype);  // f16, bf16, f32, f64, float8 and float4 kinds
bool is_integral(DType dtype);  // u8 … i64, u16 … u64; not boolean
bool is_complex(DType dtype);
bool is_quantized(DType dtype);

DType part_type(DType complex);   // of real and imaginary parts: c64 → f32
DType complex_type(DType parts);  // with such parts: f32 → c64; of numbers that are not floats, c64

}  // namespace cameo
