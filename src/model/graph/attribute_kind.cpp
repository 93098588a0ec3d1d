#include "model/graph/attribute_kind.h"

namespace cameo::model {

AttributeKind kind_of(const onnx::proto::Attribute& attribute) {
  using enum onnx::facts::Kind;
  const auto said = static_cast<AttributeKind>(attribute.type.value_or(0));
  if (said > undefined && said <= types) return said;
  if (attribute.f) return real;
  if (attribute.i) return integer;
  if (onnx::proto::present(attribute.s)) return string;
  if (attribute.t) return tensor;
  if (attribute.g) return graph;
  if (!attribute.floats.empty()) return reals;
  if (!attribute.ints.empty()) return integers;
  if (!attribute.strings.empty()) return strings;
  if (!attribute.tensors.empty()) return tensors;
  if (!attribute.graphs.empty()) return graphs;
  if (attribute.sparse_tensor) return sparse_tensor;
  if (!attribute.sparse_tensors.empty()) return sparse_tensors;
  if (attribute.tp) return type;
  if (!attribute.type_protos.empty()) return types;
  return undefined;
}

}  // namespace cameo::model
