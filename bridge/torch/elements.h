#pragma once
#include <c10/core/ScalarType.h>

#include <optional>

#include "base/dtype.h"

namespace cameo::torch {

// Cameo numbers element types as c10 does. nullopt for types that this libtorch lacks.
inline std::optional<c10::ScalarType> scalar_type(DType type) {
  const std::int64_t number = torch_number(type);
  if (number < 0 || number >= static_cast<std::int64_t>(c10::ScalarType::NumOptions)) return std::nullopt;
  return static_cast<c10::ScalarType>(number);
}

// Element types that both sides know; nullopt for quantized and other ones.
inline std::optional<ElementType> element_type(c10::ScalarType type) {
  const auto dtype = dtype_from_number(static_cast<std::int64_t>(type));
  if (!dtype || is_quantized(*dtype) || info(*dtype).onnx == ElementType::undefined) return std::nullopt;
  return info(*dtype).onnx;
}

inline std::optional<c10::ScalarType> scalar_type(ElementType type) { return scalar_type(info(type).dtype); }

}  // namespace cameo::torch
