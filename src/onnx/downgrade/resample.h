#pragma once
// Resize and GridSample computed from the positions of the source elements, for opsets whose operators
// support less.

#include "onnx/downgrade/downgrade.h"

namespace cameo::onnx {

void resample(Translation& t);

// GridSample, linear or nearest, over any number of axes.
void sample_grid(Translation& t);

// Whether a Resize repeats each element a whole number of times.
bool repeats_elements(const Translation& t);

}  // namespace cameo::onnx
