#pragma once
// Reverse-mode differentiation of the emitted part of the graph. The gradient is made of ordinary nodes, so
// that it can be differentiated again.

#include <vector>

#include "gradient/tape.h"

namespace cameo::gradient {

// Whether the value depends on one of the targets by operators that gradients pass.
bool depends(onnx::Emit& e, const Tape& tape, onnx::Value* value,
             const std::unordered_set<const onnx::Value*>& targets);

// The sum of the outputs' products with `weights`, differentiated with respect to each input. The weights have
// the shapes of the outputs. An entry is null if no output depends on the input. Throws aten::Unsupported for
// an operator whose derivative is not known.
std::vector<onnx::Value*> gradients(onnx::Emit& e, const Tape& tape, const std::vector<onnx::Value*>& outputs,
                                    const std::vector<onnx::Value*>& weights,
                                    const std::vector<onnx::Value*>& inputs);

}  // namespace cameo::gradient
