#pragma once
#include "cameo/model.h"
#include "model/file/open.h"
#include "model/simplify/rebuilt.h"

namespace cameo::model {

// Puts the graph in place of the one that it was made from. Names, doc strings, metadata and whatever else
// the file says stay with the nodes, values and tensors that are still there. What `opened` points to then
// lies in its file or in `arena`.
void lower(Rebuilt& rebuilt, Opened& opened, Arena& arena, const SimplifyOptions& options);

}  // namespace cameo::model
