#include <array>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "base/dtype_table.h"
#include "base/half.h"
#include "cameo/array.h"
#include "cameo/diagnostic.h"

namespace cameo {
namespace {

// An eight-bit floating-point format: sign, exponent, mantissa from the highest bit down.
struct SmallFloat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  enum class Special {
    ieee,       // the highest exponent holds infinities and NaN
    all_ones,   // no infinities; NaN is all ones
    minus_zero  // no infinities; NaN takes the place of -0
  } special;
};

double decode(std::uint32_t bits, const SmallFloat& format) {
  const int width = format.exponent_bits + format.mantissa_bits;
  const std::uint32_t magnitude = bits & ((1u << width) - 1);
  const bool negative = ((bits >> width) & 1) != 0;
  const auto exponent = static_cast<int>(magnitude >> format.mantissa_bits);
  const std::uint32_t mantissa = magnitude & ((1u << format.mantissa_bits) - 1);
  const bool highest = exponent == (1 << format.exponent_bits) - 1;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  switch (format.special) {
    case SmallFloat::Special::ieee:
      if (highest && mantissa != 0) return kNan;
      if (highest) return (negative ? -1 : 1) * std::numeric_limits<double>::infinity();
      break;
    case SmallFloat::Special::all_ones:
      if (magnitude == (1u << width) - 1) return kNan;
      break;
    case SmallFloat::Special::minus_zero:
      if (negative && magnitude == 0) return kNan;
      break;
  }
  const std::uint32_t significand = exponent == 0 ? mantissa : mantissa | (1u << format.mantissa_bits);
  const double value = std::ldexp(significand, std::max(exponent, 1) - format.bias - format.mantissa_bits);
  return negative ? -value : value;
}

template <typename T, typename Convert>
std::vector<double> convert(const Array& array, Convert&& each) {
  std::vector<double> result;
  result.reserve(array.count());
  const std::span<const T> elements{reinterpret_cast<const T*>(array.bytes().data()), array.count()};
  for (const T element : elements) result.push_back(each(element));
  return result;
}

template <typename T>
std::vector<double> numbers(const Array& array) {
  return convert<T>(array, [](T element) { return static_cast<double>(element); });
}

std::vector<double> small_floats(const Array& array, const SmallFloat& format) {
  return convert<std::uint8_t>(array, [&](std::uint8_t element) { return decode(element, format); });
}

double decode_f8e8m0(std::uint8_t bits) {
  return bits == 0xFF ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, bits - 127);
}

}  // namespace

std::string_view name(ElementType type) {
  const DTypeInfo& row = info(type);
  return row.dtype == DType::undefined ? "undefined" : row.name;
}

std::size_t bits_per_element(ElementType type) { return info(type).bits; }

ElementTypeNames names(ElementType type) {
  const DTypeInfo& row = info(type);
  return {.onnx = row.onnx_name, .numpy = row.numpy, .torch = row.scalar};
}

std::span<const ElementType> element_types() {
  static constexpr auto kAll = [] {
    std::array<ElementType, kElementTypes - 1> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<ElementType>(i + 1);
    return all;
  }();
  return kAll;
}

std::vector<double> Array::to_doubles() const {
  using enum SmallFloat::Special;
  switch (type_) {
    case ElementType::f32: return numbers<float>(*this);
    case ElementType::f64: return numbers<double>(*this);
    case ElementType::u8: return numbers<std::uint8_t>(*this);
    case ElementType::i8: return numbers<std::int8_t>(*this);
    case ElementType::u16: return numbers<std::uint16_t>(*this);
    case ElementType::i16: return numbers<std::int16_t>(*this);
    case ElementType::u32: return numbers<std::uint32_t>(*this);
    case ElementType::i32: return numbers<std::int32_t>(*this);
    case ElementType::u64: return numbers<std::uint64_t>(*this);
    case ElementType::i64: return numbers<std::int64_t>(*this);
    case ElementType::boolean:
      return convert<std::uint8_t>(*this, [](std::uint8_t element) { return element != 0 ? 1.0 : 0.0; });
    case ElementType::f16: return convert<std::uint16_t>(*this, float_from_f16);
    case ElementType::bf16: return convert<std::uint16_t>(*this, float_from_bf16);
    case ElementType::f8e4m3fn: return small_floats(*this, {4, 3, 7, all_ones});
    case ElementType::f8e4m3fnuz: return small_floats(*this, {4, 3, 8, minus_zero});
    case ElementType::f8e5m2: return small_floats(*this, {5, 2, 15, ieee});
    case ElementType::f8e5m2fnuz: return small_floats(*this, {5, 2, 16, minus_zero});
    case ElementType::f8e8m0: return convert<std::uint8_t>(*this, decode_f8e8m0);
    default:
      throw Error(Diagnostic{
          .code = Code::bad_type,
          .message = fmt::format("the elements of {} are not plain numbers", to_string(type_, shape_))});
  }
}

}  // namespace cameo
