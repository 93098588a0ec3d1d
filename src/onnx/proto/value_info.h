#pragma once
#include "onnx/proto/messages.h"

namespace cameo::onnx::proto {

// Name and type of a tensor, as an input of its name declares them. The text of the name must outlive the
// result.
ValueInfo value_info(const Tensor& tensor);

}  // namespace cameo::onnx::proto
