#pragma once
#include <cstdint>

#include "onnx/proto/messages.h"

namespace cameo::model {

// AttributeProto.AttributeType.
enum class AttributeKind : std::int32_t {
  none = 0,
  real = 1,
  integer = 2,
  string = 3,
  tensor = 4,
  graph = 5,
  reals = 6,
  integers = 7,
  strings = 8,
  tensors = 9,
  graphs = 10,
  sparse_tensor = 11,
  sparse_tensors = 12,
  type = 13,
  types = 14,
};

// As the attribute says, or, in files older than that field, by what it holds.
AttributeKind kind_of(const onnx::proto::Attribute& attribute);

}  // namespace cameo::model
