#pragma once
// Resize by the places that the new elements come from, for opsets whose operators only stretch.

#include "onnx/opset/opset.h"

namespace cameo::onnx {

void resample(Translation& t);

// Whether a Resize repeats each element a whole number of times.
bool repeats_elements(const Translation& t);

}  // namespace cameo::onnx
