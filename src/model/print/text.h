#pragma once
#include <cstddef>
#include <string>

#include "onnx/proto/messages.h"

namespace cameo::model {

// The model in ONNX's textual syntax, as onnx.parser reads it. Prints at most `most` elements of a tensor.
// Leaves out everything that the syntax cannot express (doc strings of nodes, metadata inside the graph);
// sparse initialisers are comments.
std::string onnx_text(const onnx::proto::Model& model, std::size_t most);

}  // namespace cameo::model
