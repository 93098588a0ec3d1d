#pragma once
#include <unordered_set>

#include "model/simplify/rebuilt.h"

namespace cameo::model {

// Gives every value and node in use a name. Those that the file gave stay, except of values that moved to
// where the name means something else. The same graph always gets the same names.
void assign_names(Rebuilt& rebuilt);

}  // namespace cameo::model
