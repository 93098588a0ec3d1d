#pragma once

namespace cameo::onnx {

inline constexpr int kMinOpset = 9, kMaxOpset = 27;

// The lowest IR version that permits the opset.
int ir_version(int opset);

}  // namespace cameo::onnx
