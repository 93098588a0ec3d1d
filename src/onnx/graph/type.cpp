#include "onnx/graph/type.h"

#include <fmt/core.h>

#include "cameo/diagnostic.h"

namespace cameo::onnx {

Dim Shape::product() const {
  Dim all(1);
  for (const Dim& size : *this) all = all * size;
  return all;
}

int to_onnx(DType dtype) {
  const ElementType type = info(dtype).onnx;
  if (type == ElementType::undefined && dtype != DType::undefined)
    throw InternalError(fmt::format("ONNX has no element type {}", name(dtype)));
  return static_cast<int>(type);
}

std::optional<DType> from_onnx(int number) {
  const DType dtype = info(static_cast<ElementType>(number)).dtype;
  return dtype == DType::undefined ? std::nullopt : std::optional(dtype);
}

std::string to_string(const Type& type) {
  if (type.kind == Type::Kind::unknown) return "?";
  std::string text{name(type.dtype)};
  if (!type.shape) {
    text += "[...]";
  } else {
    text += "[";
    for (std::size_t i = 0; i < type.shape->size(); ++i) {
      if (i > 0) text += ", ";
      text += sym::to_string((*type.shape)[i]);
    }
    text += "]";
  }
  if (type.kind == Type::Kind::sequence) return "sequence(" + text + ")";
  if (type.kind == Type::Kind::optional) return "optional(" + text + ")";
  if (type.kind == Type::Kind::optional_sequence) return "optional(sequence(" + text + "))";
  return text;
}

}  // namespace cameo::onnx
