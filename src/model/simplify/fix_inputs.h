#pragma once
#include "cameo/model.h"
#include "model/file/open.h"

namespace cameo::model {

// Writes the given sizes into the declarations of inputs. Throws Error (stage read) for an input that does
// not exist, or sizes that contradict those it has.
void fix_inputs(Opened& opened, const SimplifyOptions& options);

// Throws Error (stage read) for a model with a training graph, which refers to names of the main graph.
void refuse_training(const Opened& opened);

}  // namespace cameo::model
