#pragma once
#include "onnx/emit/emit.h"

namespace cameo::onnx {

// Raises a node of ONNX's own that somebody wrote for one opset or another without telling which: for the
// newest whose form of the operator it has. Throws ConversionError if it has none, and if it would mean
// something else in an opset between the emitter's and that one.
void modernize(Emit& e, Node& node, std::size_t outputs);

}  // namespace cameo::onnx
