#pragma once
#include "onnx/emit.h"

namespace cameo::onnx {

// Brings a node of ONNX's own, as somebody wrote it for one opset or another, into the newest form, which the
// emitter takes: attributes that are inputs today (Squeeze's axes), operators that have another name. Throws
// ConversionError if it is no valid node, or if what it means depends on the opset.
void modernize(Emit& e, Node& node, std::size_t outputs);

}  // namespace cameo::onnx
