#pragma once
#include "onnx/infer/infer.h"

namespace cameo::onnx {

// The element type of the first result of an operator of linger: integers of o_bits bits where it reads integers.
// Before linger's exporter has quantised the weights, operators compute with the type of their first input.
DType linger_result(const Inference& f);

}  // namespace cameo::onnx
