#pragma once
#include "model/file/open.h"
#include "onnx/text/torch_text.h"

namespace cameo::model {

// The graph and its subgraphs in the form of PyTorch's dumps. Types that the file does not declare are
// inferred. Initialisers come after the inputs, in their order, unless they are inputs themselves.
onnx::torch_text::Block torch_block(Opened opened);

}  // namespace cameo::model
