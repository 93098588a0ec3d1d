#pragma once
#include "onnx/emit/emit.h"

namespace cameo::onnx {

// Upgrades a node of an ONNX operator that was written for an unknown opset: the newest one whose form of the
// operator it has. Throws ConversionError if it has the form of no opset, or if it has another meaning in an
// opset between the emitter's and that one.
void modernize(Emit& e, Node& node, std::size_t outputs);

}  // namespace cameo::onnx
