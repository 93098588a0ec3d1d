#pragma once
#include <limits>

#include "onnx/graph/data.h"

namespace cameo::model {

// The absolute values of the elements of a constant.
struct Magnitudes {
  double largest = 0;                                         // of the finite elements
  double smallest = std::numeric_limits<double>::infinity();  // of the elements that are not 0
  bool finite = true;                                         // no element is infinite or NaN
};

// Reads all elements, in pieces. Needs a floating-point type with arithmetic.
Magnitudes magnitudes(const onnx::Data& data);

}  // namespace cameo::model
