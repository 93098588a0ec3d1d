#pragma once
#include "onnx/graph.h"

namespace cameo {

// Holds the model, as it will be written, against what ONNX permits. Throws Error (stage check) with all
// faults, each with the place in the program that its node came from.
void check_exported(const onnx::Model& model);

}  // namespace cameo
