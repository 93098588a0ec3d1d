#pragma once
#include "model/file/open.h"
#include "model/rewrite/names.h"

namespace cameo::model {

// Raises the opset of ai.onnx. A node whose operator changed between the two opsets gets its form in the new
// one. Throws Error (Code::needs_opset) with all nodes that have none.
void raise_opset(Opened& opened, std::int64_t opset, Names& names);

}  // namespace cameo::model
