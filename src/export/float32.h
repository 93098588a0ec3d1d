#pragma once
#include "onnx/graph/graph.h"

namespace cameo {

// Makes f32 of all tensors of f64: inputs, outputs, constants and types that attributes name. Finite constants
// stay finite.
void use_float32(onnx::Model& model);

}  // namespace cameo
