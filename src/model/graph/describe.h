#pragma once
#include <string>

#include "cameo/value_info.h"
#include "onnx/proto/messages.h"

namespace cameo::model {

cameo::ValueInfo describe(const onnx::proto::ValueInfo& value);

std::string type_text(const onnx::proto::ValueInfo& value);  // "f32[batch, 3]"
std::string type_text(const onnx::proto::Tensor& tensor);

}  // namespace cameo::model
