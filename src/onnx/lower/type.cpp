#include "onnx/lower/type.h"

namespace cameo::onnx {

proto::Type::Kind lower_kind(Type::Kind kind) {
  switch (kind) {
    case Type::Kind::tensor: return proto::Type::Kind::tensor;
    case Type::Kind::sequence: return proto::Type::Kind::sequence;
    case Type::Kind::optional:
    case Type::Kind::optional_sequence: return proto::Type::Kind::optional;
    case Type::Kind::unknown: break;
  }
  return proto::Type::Kind::none;
}

Type inner_type(Type type) {
  type.kind = type.kind == Type::Kind::optional_sequence ? Type::Kind::sequence : Type::Kind::tensor;
  return type;
}

proto::Dimension lower_size(const Dim& size, const SizeText& text) {
  proto::Dimension message;
  if (const auto number = known(size))
    message.value = *number;
  else
    message.parameter = text(size);
  return message;
}

proto::Type lower_type(const Type& type, const SizeText& text) {
  proto::Type message;
  message.kind = lower_kind(type.kind);
  if (type.kind == Type::Kind::unknown) return message;
  if (type.kind != Type::Kind::tensor) {
    message.inner = std::make_unique<proto::Type>(lower_type(inner_type(type), text));
    return message;
  }
  message.element = to_onnx(type.dtype);
  if (!type.shape) return message;
  message.shape.emplace();
  for (const Dim& size : *type.shape) message.shape->dims.push_back(lower_size(size, text));
  return message;
}

}  // namespace cameo::onnx
