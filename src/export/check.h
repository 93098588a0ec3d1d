#pragma once
#include <vector>

#include "cameo/diagnostic.h"
#include "onnx/graph/graph.h"

namespace cameo {

// Holds the model, as it will be written, against what ONNX permits. Throws Error (stage check) with all
// faults, each with the place in the program that its node came from. Returns warnings.
std::vector<Diagnostic> check_exported(const onnx::Model& model);

}  // namespace cameo
