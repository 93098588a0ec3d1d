#pragma once
#include "onnx/proto/messages.h"
#include "onnx/torch_text.h"

namespace cameo::model {

// A graph and its subgraphs as PyTorch's dumps show them. Initialisers come after the inputs, in their order,
// unless they are inputs themselves.
onnx::torch_text::Block torch_block(const onnx::proto::Graph& graph);

}  // namespace cameo::model
