#pragma once
#include "model/rewrite/names.h"

namespace cameo::model {

// Replaces the calls of the model's own functions by the nodes of their bodies, in subgraphs too, and removes
// the functions that nothing calls any more. A call stays if the function needs other versions of operators
// than the model imports, or calls itself.
void inline_functions(onnx::proto::Model& model, Names& names);

}  // namespace cameo::model
