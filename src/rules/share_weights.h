#pragma once
#include "onnx/graph/graph.h"

namespace cameo::rules {

// Replaces a weight that the archive holds with its axes in another order by that weight and a Transpose, if
// it would be written twice otherwise: an embedding that is also the output layer. With `every`, replaces all
// such weights, for models that point into the archive. The model must have been pruned. Returns the number
// of replaced weights.
std::size_t share_weights(onnx::Model& model, bool every);

}  // namespace cameo::rules
