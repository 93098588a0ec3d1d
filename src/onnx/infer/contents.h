#pragma once
// What inference functions do with the contents of small integer tensors.

#include "onnx/fold/index.h"
#include "onnx/infer/infer.h"

namespace cameo::onnx {

// A shape, where all of it is numbers.
std::optional<Ints> numbers(const std::optional<Shape>& shape);

// The contents of the first result: those of input 0, each from where `positions` says.
void rearrange(Inference& f, const Ints& shape, const Ints& positions);

}  // namespace cameo::onnx
