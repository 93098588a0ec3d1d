#pragma once
// Elements of constants as C++ numbers. Integers are computed in 64 bits and small floats as float. They are
// wrapped or rounded to the element type when they are stored, which gives the same elements.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/index.h"
#include "onnx/graph/data.h"

namespace cameo::onnx {

template <class T>
struct Tag {
  using type = T;  // NOLINT(readability-identifier-naming): as the standard library's
};

// Calls f(Tag<T>{}) with the type in which elements are computed: std::int64_t, std::uint64_t, float or double.
// Booleans are 0 or 1. False for types without arithmetic here (complex, eight-bit floats).
template <class F>
bool with_type(DType dtype, F&& f) {
  switch (dtype) {
    case DType::boolean:
    case DType::u8:
    case DType::qu8:
    case DType::u16:
    case DType::u32:
    case DType::u64: f(Tag<std::uint64_t>{}); return true;
    case DType::i8:
    case DType::qi8:
    case DType::i16:
    case DType::i32:
    case DType::qi32:
    case DType::i64: f(Tag<std::int64_t>{}); return true;
    case DType::f16:
    case DType::bf16:
    case DType::f32: f(Tag<float>{}); return true;
    case DType::f64: f(Tag<double>{}); return true;
    default: return false;
  }
}

// Two's complement arithmetic without overflow, as integer operators of runtimes compute.
template <class T>
using Modular = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;

// These four need the type T that with_type() names for the element type.
template <class T>
void widen(DType dtype, Bytes elements, std::vector<T>& numbers);
template <class T>
void narrow(DType dtype, const std::vector<T>& numbers, std::vector<std::byte>& elements);
template <class T>
std::vector<T> read(const Data& data);
template <class T>
DataPtr make(DType dtype, std::vector<std::int64_t> shape, const std::vector<T>& numbers);

// The elements of an integral or boolean constant.
std::vector<std::int64_t> read_integers(const Data& data);

}  // namespace cameo::onnx
