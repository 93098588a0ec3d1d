#pragma once
// The versions of the ONNX operator set that Cameo writes.

namespace cameo {

inline constexpr int kMinOpset = 9, kMaxOpset = 27;
inline constexpr int kDefaultOpset = 17;

}  // namespace cameo
