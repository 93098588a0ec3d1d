#pragma once
#include "model/linger/operators.h"
#include "onnx/graph/data.h"

namespace cameo::model::linger {

// The integers of a floating-point constant, computed while they are written. Those beyond the range of the bits
// become its ends.
onnx::DataPtr integers(onnx::DataPtr weight, const Scale& scale);

}  // namespace cameo::model::linger
