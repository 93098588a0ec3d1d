#pragma once
#include "model/extract/cut.h"

namespace cameo::model {

// Removes everything that `part` does not need to compute `outputs` from `inputs`, or from the model's own
// inputs if `inputs` is empty: nodes, initialisers, types of values, annotations, functions, and training
// information.
void prune(onnx::proto::Model& model, const Cut& part, const ValueNames& inputs, const ValueNames& outputs);

// Removes the functions that no node of the graph calls, directly or through others.
void prune_functions(onnx::proto::Model& model);

}  // namespace cameo::model
