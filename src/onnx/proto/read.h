#pragma once
#include <string>

#include "onnx/proto/messages.h"

namespace cameo::onnx::proto {

// Reads an ONNX file; the result points into `bytes`. Throws Error (stage read) if a message is longer than
// the message around it, is nested deeper than protobuf permits, or is damaged otherwise.
Model read(Bytes bytes, const std::string& file);

}  // namespace cameo::onnx::proto
