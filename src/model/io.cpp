#include <algorithm>
#include <array>
#include <unordered_set>

#include <fmt/format.h>

#include "cameo/model.h"
#include "model/open.h"

namespace cameo {
namespace {

using onnx::proto::Type;

constexpr std::array<std::string_view, 27> kElements = {
    "?",         "float32",    "uint8",      "int8",         "uint16",         "int16",      "int32",
    "int64",     "string",     "bool",       "float16",      "float64",        "uint32",     "uint64",
    "complex64", "complex128", "bfloat16",   "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz",
    "uint4",     "int4",       "float4e2m1", "float8e8m0",   "uint2",          "int2"};

std::string element_name(const Type& type) {
  const auto index = static_cast<std::size_t>(type.element.value_or(0));
  return index < kElements.size() ? std::string(kElements[index]) : fmt::format("type {}", index);
}

std::string type_text(const Type& type) {
  switch (type.kind) {
    case Type::Kind::none: return {};
    case Type::Kind::tensor: return element_name(type);
    case Type::Kind::sparse_tensor: return "sparse " + element_name(type);
    case Type::Kind::sequence: return "sequence of " + (type.inner ? type_text(*type.inner) : "?");
    case Type::Kind::optional: return "optional " + (type.inner ? type_text(*type.inner) : "?");
    case Type::Kind::map:
      return fmt::format("map from {} to {}", element_name(type), type.inner ? type_text(*type.inner) : "?");
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
