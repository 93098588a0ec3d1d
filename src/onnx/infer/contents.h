#pragma once
// Inference of the contents of small integer tensors.

#include "onnx/fold/index.h"
#include "onnx/infer/infer.h"

namespace cameo::onnx {

// A shape, where all of it is numbers.
std::optional<Ints> numbers(const std::optional<Shape>& shape);

// Sets the contents of the first result: the elements of input 0 at `positions`.
void rearrange(Inference& f, const Ints& shape, const Ints& positions);

}  // namespace cameo::onnx
