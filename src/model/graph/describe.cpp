#include "model/graph/describe.h"

namespace cameo::model {
namespace {

using onnx::proto::Type;

ElementType element_type(const Type& type) { return static_cast<ElementType>(type.element.value_or(0)); }

void set_tensor(cameo::ValueInfo& info, const Type& type) {
  info.type = element_type(type);
  if (!type.shape) return;
  info.shape.emplace();
  for (const onnx::proto::Dimension& dim : type.shape->dims)
    info.shape->push_back(dim.value ? Dim(*dim.value) : Dim(std::string(dim.parameter)));
}

void set_map(cameo::ValueInfo& info, const Type& type) {
  info.key = element_type(type);
  if (type.inner) info.type = element_type(*type.inner);
}

void set_sequence(cameo::ValueInfo& info, const Type* items) {
  using Kind = cameo::ValueInfo::Kind;
  info.kind = Kind::sequence;
  if (!items || items->kind == Type::Kind::none) return;
  if (items->kind == Type::Kind::tensor) return set_tensor(info, *items);
  info.kind = items->kind == Type::Kind::map ? Kind::map_sequence : Kind::other;
  if (info.kind == Kind::map_sequence) set_map(info, *items);
}

void set_type(cameo::ValueInfo& info, const Type& type) {
  using Kind = cameo::ValueInfo::Kind;
  switch (type.kind) {
    case Type::Kind::none: info.kind = Kind::unknown; return;
    case Type::Kind::tensor: info.kind = Kind::tensor; return set_tensor(info, type);
    case Type::Kind::sparse_tensor: info.kind = Kind::sparse_tensor; return set_tensor(info, type);
    case Type::Kind::sequence: return set_sequence(info, type.inner.get());
    case Type::Kind::map: info.kind = Kind::map; return set_map(info, type);
    case Type::Kind::optional:
      info.optional = true;
      if (type.inner) set_type(info, *type.inner);
      return;
    case Type::Kind::opaque: info.kind = Kind::other; return;
  }
}

}  // namespace

cameo::ValueInfo describe(const onnx::proto::ValueInfo& value) {
  cameo::ValueInfo info{.name = std::string(value.name), .kind = cameo::ValueInfo::Kind::unknown};
  if (value.type) set_type(info, *value.type);
  return info;
}

std::string type_text(const onnx::proto::ValueInfo& value) {
  const cameo::ValueInfo info = describe(value);
  return info.kind == cameo::ValueInfo::Kind::unknown ? "no type" : type_text(info);
}

std::string type_text(const onnx::proto::Tensor& tensor) {
  cameo::ValueInfo info{.type = static_cast<ElementType>(tensor.data_type.value_or(0))};
  info.shape.emplace(tensor.dims.begin(), tensor.dims.end());
  return type_text(info);
}

}  // namespace cameo::model
