#pragma once
#include "onnx/graph/graph.h"

namespace cameo::rules {

// A weight that the archive holds with its axes in another order becomes that weight and a Transpose, where
// it would be written twice otherwise (an embedding that is the output layer too), or, with `every`,
// everywhere: for models that point into the archive. The model must have been pruned. Returns how many.
std::size_t share_weights(onnx::Model& model, bool every);

}  // namespace cameo::rules
