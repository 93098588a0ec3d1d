#pragma once
#include <c10/core/ScalarType.h>

#include <optional>

#include "cameo/array.h"

namespace cameo::torch {

// Element types that both sides know; nullopt for quantized and other ones.
inline std::optional<ElementType> element_type(c10::ScalarType type) {
  switch (type) {
    case c10::ScalarType::Float: return ElementType::f32;
    case c10::ScalarType::Double: return ElementType::f64;
    case c10::ScalarType::Half: return ElementType::f16;
    case c10::ScalarType::BFloat16: return ElementType::bf16;
    case c10::ScalarType::Byte: return ElementType::u8;
    case c10::ScalarType::Char: return ElementType::i8;
    case c10::ScalarType::Short: return ElementType::i16;
    case c10::ScalarType::Int: return ElementType::i32;
    case c10::ScalarType::Long: return ElementType::i64;
    case c10::ScalarType::Bool: return ElementType::boolean;
    case c10::ScalarType::ComplexFloat: return ElementType::c64;
    case c10::ScalarType::ComplexDouble: return ElementType::c128;
    default: return std::nullopt;
  }
}

inline std::optional<c10::ScalarType> scalar_type(ElementType type) {
  for (int i = 0; i < static_cast<int>(c10::ScalarType::NumOptions); ++i)
    if (element_type(static_cast<c10::ScalarType>(i)) == type) return static_cast<c10::ScalarType>(i);
  return std::nullopt;
}

}  // namespace cameo::torch
