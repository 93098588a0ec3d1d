#pragma once
#include <string>

#include "onnx/proto/messages.h"

namespace cameo::onnx::proto {

// Reads an ONNX file; the result points into `bytes`. Whatever they hold, the answer is a model or an Error
// (stage read): no message is taken that is longer than what holds it or nested deeper than protobuf permits.
Model read(Bytes bytes, const std::string& file);

}  // namespace cameo::onnx::proto
