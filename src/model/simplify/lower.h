#pragma once
#include "cameo/model.h"
#include "model/file/open.h"
#include "model/simplify/rebuilt.h"
#include "onnx/proto/texts.h"

namespace cameo::model {

// Replaces the graph of the file by the rebuilt one. Nodes, values and tensors that are still there keep
// their names, doc strings, metadata and other fields. `opened` then points into its file and into `texts`.
void lower(Rebuilt& rebuilt, Opened& opened, onnx::proto::Texts& texts, const SimplifyOptions& options);

}  // namespace cameo::model
