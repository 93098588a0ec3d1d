#pragma once
#include <vector>

#include "cameo/diagnostic.h"
#include "onnx/graph/graph.h"
#include "onnx/proto/messages.h"

namespace cameo {

// Checks the messages of `model` before they are written. Throws Error (stage check) with all faults, each
// with the place in the program that its node came from. Returns warnings.
std::vector<Diagnostic> check_exported(const onnx::proto::Model& messages, const onnx::Model& model);

}  // namespace cameo
