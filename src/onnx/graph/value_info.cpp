#include "onnx/graph/value_info.h"

namespace cameo::onnx {

ElementType element_type(DType dtype) { return static_cast<ElementType>(to_onnx(dtype)); }

DType dtype_of(ElementType type) { return from_onnx(static_cast<int>(type)).value_or(DType::undefined); }

ValueInfo value_info(std::string name, const Type& type) {
  using Kind = Type::Kind;
  ValueInfo info{.name = std::move(name)};
  if (type.kind == Kind::unknown) {
    info.kind = ValueInfo::Kind::unknown;
    return info;
  }
  info.type = element_type(type.dtype);
  info.optional = type.kind == Kind::optional || type.kind == Kind::optional_sequence;
  if (type.kind == Kind::sequence || type.kind == Kind::optional_sequence)
    info.kind = ValueInfo::Kind::sequence;
  if (!type.shape) return info;
  info.shape.emplace();
  for (const Dim& dim : *type.shape) {
    const std::optional<std::int64_t> number = dim.as_constant();
    info.shape->push_back(number ? cameo::Dim(*number) : cameo::Dim(sym::to_string(dim)));
  }
  return info;
}

}  // namespace cameo::onnx
