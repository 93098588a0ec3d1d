#pragma once
// Resize and GridSample by the places that the new elements come from, for opsets whose operators do less.

#include "onnx/downgrade/downgrade.h"

namespace cameo::onnx {

void resample(Translation& t);

// GridSample, linear or nearest, over any number of axes.
void sample_grid(Translation& t);

// Whether a Resize repeats each element a whole number of times.
bool repeats_elements(const Translation& t);

}  // namespace cameo::onnx
