#include <unordered_set>

#include <fmt/format.h>

#include "cameo/model.h"
#include "model/element_names.h"
#include "model/open.h"

namespace cameo {
namespace {

using onnx::proto::Type;

std::string type_text(const Type& type) {
  switch (type.kind) {
    case Type::Kind::none: return {};
    case Type::Kind::tensor: return model::plain_name(type.element);
    case Type::Kind::sparse_tensor: return "sparse " + model::plain_name(type.element);
    case Type::Kind::sequence: return "sequence of " + (type.inner ? type_text(*type.inner) : "?");
    case Type::Kind::optional: return "optional " + (type.inner ? type_text(*type.inner) : "?");
    case Type::Kind::map:
      return fmt::format("map from {} to {}", model::plain_name(type.element),
                         type.inner ? type_text(*type.inner) : "?");
    case Type::Kind::opaque: return fmt::format("opaque {}", type.name);
  }
  return {};
}

const Type& innermost(const Type& type) { return type.inner ? innermost(*type.inner) : type; }

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

}  // namespace

ModelIo model_io(const std::string& path) {
  const model::Opened opened(path);
  std::unordered_set<std::string_view> initialized;
  for (const onnx::proto::Tensor& tensor : opened.graph().initializers) initialized.insert(tensor.name);
  ModelIo io;
  for (const onnx::proto::ValueInfo& input : opened.graph().inputs)
    if (!initialized.contains(input.name)) io.inputs.push_back(describe(input));
  for (const onnx::proto::ValueInfo& output : opened.graph().outputs) io.outputs.push_back(describe(output));
  return io;
}

}  // namespace cameo
