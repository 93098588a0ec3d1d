#pragma once
#include "cameo/model.h"
#include "model/file/open.h"

namespace cameo::model {

// Writes the sizes that were asked for into the declarations of inputs. Throws Error (stage read) for an
// input that does not exist, or sizes that contradict those it has.
void fix_inputs(Opened& opened, const SimplifyOptions& options);

// Throws Error (stage read) for a model that holds a training graph: that binds to names of the other one.
void refuse_training(const Opened& opened);

}  // namespace cameo::model
