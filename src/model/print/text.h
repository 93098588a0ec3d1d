#pragma once
#include <cstddef>
#include <string>

#include "onnx/proto/messages.h"

namespace cameo::model {

// The model in ONNX's textual syntax, as onnx.parser reads it. Of a tensor with more than `most` elements the
// rest is left out. What the syntax cannot say (doc strings of nodes, metadata inside the graph) is left out;
// sparse initialisers are comments.
std::string onnx_text(const onnx::proto::Model& model, std::size_t most);

}  // namespace cameo::model
