#pragma once
// Tensors on the way into and out of a model: element type, shape and contents.

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace cameo {

// Numbered as ONNX numbers them (TensorProto.DataType).
enum class ElementType : std::int32_t {
  undefined = 0,
  f32 = 1,
  u8 = 2,
  i8 = 3,
  u16 = 4,
  i16 = 5,
  i32 = 6,
  i64 = 7,
  string = 8,
  boolean = 9,
  f16 = 10,
  f64 = 11,
  u32 = 12,
  u64 = 13,
  c64 = 14,
  c128 = 15,
  bf16 = 16,
  f8e4m3fn = 17,
  f8e4m3fnuz = 18,
  f8e5m2 = 19,
  f8e5m2fnuz = 20,
  u4 = 21,
  i4 = 22,
  f4e2m1 = 23,
  f8e8m0 = 24,
  u2 = 25,
  i2 = 26,
};

std::string_view name(ElementType type);         // "f32", "bool", "string"
std::size_t bits_per_element(ElementType type);  // 4 for u4, 32 for f32; 0 for string and undefined

// Names of a type elsewhere; empty where it does not exist.
struct ElementTypeNames {
  std::string_view onnx;   // "FLOAT"
  std::string_view numpy;  // kind and bytes: "f4"
  std::string_view torch;  // c10::ScalarType: "Float"
};
ElementTypeNames names(ElementType type);
std::span<const ElementType> element_types();  // all but undefined

namespace detail {
template <typename T>
inline constexpr ElementType kElementType = ElementType::undefined;
template <>
inline constexpr ElementType kElementType<float> = ElementType::f32;
template <>
inline constexpr ElementType kElementType<double> = ElementType::f64;
template <>
inline constexpr ElementType kElementType<bool> = ElementType::boolean;
template <>
inline constexpr ElementType kElementType<std::int8_t> = ElementType::i8;
template <>
inline constexpr ElementType kElementType<std::int16_t> = ElementType::i16;
template <>
inline constexpr ElementType kElementType<std::int32_t> = ElementType::i32;
template <>
inline constexpr ElementType kElementType<std::int64_t> = ElementType::i64;
template <>
inline constexpr ElementType kElementType<std::uint8_t> = ElementType::u8;
template <>
inline constexpr ElementType kElementType<std::uint16_t> = ElementType::u16;
template <>
inline constexpr ElementType kElementType<std::uint32_t> = ElementType::u32;
template <>
inline constexpr ElementType kElementType<std::uint64_t> = ElementType::u64;
template <>
inline constexpr ElementType kElementType<std::complex<float>> = ElementType::c64;
template <>
inline constexpr ElementType kElementType<std::complex<double>> = ElementType::c128;
}  // namespace detail

// A C++ type that an element can be read as.
template <typename T>
concept Element = (detail::kElementType<T> != ElementType::undefined);

// A dense tensor in row-major order, little-endian; it never changes. A copy shares the contents. Elements
// narrower than a byte are packed, the first in the lowest bits.
//
// Every function that makes one throws Error if the shape has a negative size or does not fit the contents.
class Array {
 public:
  Array() = default;  // of no type and no elements

  template <Element T>
  static Array of(std::vector<std::int64_t> shape, const std::vector<T>& elements) {
    std::vector<std::byte> bytes(elements.size() * sizeof(T));
    std::byte* out = bytes.data();
    for (const T element : elements) {
      std::memcpy(out, &element, sizeof(T));
      out += sizeof(T);
    }
    return owning(detail::kElementType<T>, std::move(shape), std::move(bytes));
  }
  template <Element T>
  static Array scalar(T element) {
    return of<T>({}, {element});
  }
  static Array strings(std::vector<std::int64_t> shape, std::vector<std::string> elements);
  static Array owning(ElementType type, std::vector<std::int64_t> shape, std::vector<std::byte> bytes);
  // Points into `bytes`, which `owner` keeps alive; without an owner they must outlive every copy of the
  // array. Bytes that are not aligned for their type are copied instead.
  static Array view(ElementType type, std::vector<std::int64_t> shape, std::span<const std::byte> bytes,
                    std::shared_ptr<const void> owner = nullptr);

  ElementType type() const { return type_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  std::size_t count() const { return count_; }
  std::span<const std::byte> bytes() const { return bytes_; }  // empty for strings

  // The elements; throws Error if they are of another type.
  template <Element T>
  std::span<const T> as() const {
    expect(detail::kElementType<T>);
    return {reinterpret_cast<const T*>(bytes_.data()), count_};
  }
  std::span<const std::string> strings() const;

  // The elements as numbers, from any type but string, complex and those narrower than a byte.
  std::vector<double> to_doubles() const;

 private:
  void expect(ElementType type) const;

  ElementType type_ = ElementType::undefined;
  std::vector<std::int64_t> shape_ = {0};
  std::size_t count_ = 0;
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;  // of bytes_; a vector of strings if type_ is string
};

std::string to_string(ElementType type, std::span<const std::int64_t> shape);  // "f32[2, 3]"

}  // namespace cameo
