#pragma once
#include "model/extract/cut.h"

namespace cameo::model {

// Removes everything that `part` does not need to compute `outputs` from `inputs`, or from the model's own
// inputs if `inputs` is empty: nodes, initialisers, types of values, annotations, functions, and training
// information.
void prune(onnx::proto::Model& model, const Cut& part, const ValueNames& inputs, const ValueNames& outputs);

}  // namespace cameo::model
