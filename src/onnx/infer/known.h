#pragma once
#include <string_view>

namespace cameo::onnx {

// Whether infer (infer.h) knows ONNX's operator of this name.
bool has_inference(std::string_view op);

}  // namespace cameo::onnx
