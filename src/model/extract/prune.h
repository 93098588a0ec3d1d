#pragma once
#include "model/extract/cut.h"

namespace cameo::model {

// Leaves what `part` needs to compute `outputs` from `inputs`, or from the model's own if that is empty:
// nodes, initialisers, types of values, annotations and functions. Training information goes.
void prune(onnx::proto::Model& model, const Cut& part, const ValueNames& inputs, const ValueNames& outputs);

}  // namespace cameo::model
