#include "onnx/proto/value_info.h"

namespace cameo::onnx::proto {

ValueInfo value_info(const Tensor& tensor) {
  ValueInfo info;
  info.name = tensor.name;
  Type& type = info.type.emplace();
  type.kind = Type::Kind::tensor;
  type.element = tensor.data_type;
  type.shape.emplace();
  for (const std::int64_t dim : tensor.dims) type.shape->dims.emplace_back().value = dim;
  return info;
}

}  // namespace cameo::onnx::proto
