#pragma once
#include <string>

#include "cameo/model.h"
#include "onnx/proto/messages.h"

namespace cameo::model {

ModelValue describe(const onnx::proto::ValueInfo& value);

std::string type_text(const onnx::proto::ValueInfo& value);  // "float32 [batch, 3]"
std::string type_text(const onnx::proto::Tensor& tensor);

}  // namespace cameo::model
