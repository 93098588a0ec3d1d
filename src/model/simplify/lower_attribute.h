#pragma once
#include "model/simplify/rebuilt.h"

namespace cameo::model {

// As messages that point into `arena`.
onnx::proto::Tensor tensor_of(const onnx::DataPtr& data, Arena& arena);
onnx::proto::Attribute attribute_of(const onnx::Attribute& attribute, Arena& arena);  // not of graphs

}  // namespace cameo::model
