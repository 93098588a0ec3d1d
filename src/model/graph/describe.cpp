#include "model/graph/describe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "onnx/graph/element_names.h"

namespace cameo::model {
namespace {

using onnx::proto::Type;

std::string type_text(const Type& type) {
  switch (type.kind) {
    case Type::Kind::none: return {};
    case Type::Kind::tensor: return onnx::plain_name(type.element);
    case Type::Kind::sparse_tensor: return "sparse " + onnx::plain_name(type.element);
    case Type::Kind::sequence: return "sequence of " + (type.inner ? type_text(*type.inner) : "?");
    case Type::Kind::optional: return "optional " + (type.inner ? type_text(*type.inner) : "?");
    case Type::Kind::map:
      return fmt::format("map from {} to {}", onnx::plain_name(type.element),
                         type.inner ? type_text(*type.inner) : "?");
    case Type::Kind::opaque: return fmt::format("opaque {}", type.name);
  }
  return {};
}

const Type& innermost(const Type& type) { return type.inner ? innermost(*type.inner) : type; }

}  // namespace

ModelValue describe(const onnx::proto::ValueInfo& value) {
  ModelValue described{.name = std::string(value.name), .type = {}, .shape = {}};
  if (!value.type) return described;
  described.type = type_text(*value.type);
  const Type& tensor = innermost(*value.type);
  described.has_shape = tensor.shape.has_value();
  if (!tensor.shape) return described;
  for (const onnx::proto::Dimension& dim : tensor.shape->dims) {
    if (dim.value)
      described.shape.push_back(fmt::format("{}", *dim.value));
    else
      described.shape.emplace_back(dim.parameter.empty() ? "?" : dim.parameter);
  }
  return described;
}

std::string type_text(const onnx::proto::ValueInfo& value) {
  const ModelValue described = describe(value);
  if (described.type.empty()) return "no type";
  if (!described.has_shape) return described.type;
  return fmt::format("{} [{}]", described.type, fmt::join(described.shape, ", "));
}

std::string type_text(const onnx::proto::Tensor& tensor) {
  return fmt::format("{} [{}]", onnx::plain_name(tensor.data_type), fmt::join(tensor.dims, ", "));
}

}  // namespace cameo::model
