#pragma once
// Elements of constants as C++ numbers.

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "base/half.h"
#include "base/index.h"
#include "onnx/graph/data.h"

namespace cameo::onnx {

template <class T>
struct Tag {
  using type = T;  // NOLINT(readability-identifier-naming): as the standard library's
};

// Calls f(Tag<T>{}) with the C++ type of the elements; booleans are std::uint8_t, 0 or 1. False for types
// without arithmetic here (complex, eight-bit floats).
template <class F>
bool with_type(DType dtype, F&& f) {
  switch (dtype) {
    case DType::boolean:
    case DType::u8:
    case DType::qu8: f(Tag<std::uint8_t>{}); return true;
    case DType::i8:
    case DType::qi8: f(Tag<std::int8_t>{}); return true;
    case DType::u16: f(Tag<std::uint16_t>{}); return true;
    case DType::i16: f(Tag<std::int16_t>{}); return true;
    case DType::u32: f(Tag<std::uint32_t>{}); return true;
    case DType::i32:
    case DType::qi32: f(Tag<std::int32_t>{}); return true;
    case DType::u64: f(Tag<std::uint64_t>{}); return true;
    case DType::i64: f(Tag<std::int64_t>{}); return true;
    case DType::f16: f(Tag<Half>{}); return true;
    case DType::bf16: f(Tag<BFloat16>{}); return true;
    case DType::f32: f(Tag<float>{}); return true;
    case DType::f64: f(Tag<double>{}); return true;
    default: return false;
  }
}

// The type that arithmetic on T is done in.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;

// Two's complement arithmetic without overflow, as integer operators of runtimes compute.
template <class T>
using Modular = typename std::conditional_t<
    std::is_integral_v<T>,
    std::conditional_t<sizeof(T) < sizeof(unsigned), std::type_identity<unsigned>,
                       std::make_unsigned<std::conditional_t<std::is_integral_v<T>, T, int>>>,
    std::type_identity<T>>::type;

template <class T>
std::vector<T> read(const Data& data) {
  std::vector<T> elements(as_size(data.numel()));
  std::byte* to = reinterpret_cast<std::byte*>(elements.data());
  data.copy_to([&to](Bytes piece) {
    if (!piece.empty()) std::memcpy(to, piece.data(), piece.size());
    to += piece.size();
  });
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    if (data.dtype() == DType::boolean)
      for (auto& element : elements) element = element != 0;
  }
  return elements;
}

// The elements of an integral or boolean constant.
inline std::vector<std::int64_t> read_integers(const Data& data) {
  if (data.dtype() == DType::i64) return read<std::int64_t>(data);
  std::vector<std::int64_t> result(as_size(data.numel()));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = data.integer(static_cast<std::int64_t>(i));
  return result;
}

template <class T>
DataPtr make(DType dtype, std::vector<std::int64_t> shape, const std::vector<T>& elements) {
  return Data::of<T>(dtype, std::move(shape), std::span<const T>(elements));
}

}  // namespace cameo::onnx
