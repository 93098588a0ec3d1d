#pragma once
#include <vector>

#include "cameo/diagnostic.h"
#include "view/document/build.h"

namespace cameo::view {

// Checks the model, and adds the faults as messages and as an overlay.
void add_faults(Built& built, const model::Opened& model);

// Adds diagnostics, each at its line of the program if that is shown. After the sources.
void add_messages(Built& built, const std::vector<Diagnostic>& diagnostics);

}  // namespace cameo::view
