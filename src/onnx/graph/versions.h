#pragma once
#include "cameo/opset.h"

namespace cameo::onnx {

// Throws Error (Code::unsupported_opset) for any other.
void check_opset(int opset);

// The lowest IR version that permits the opset.
int ir_version(int opset);

}  // namespace cameo::onnx
