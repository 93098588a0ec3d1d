#pragma once
#include <string>

#include "base/style.h"
#include "cameo/inspect.h"
#include "inspect/modules.h"

namespace cameo::inspect {

// The module tree as a table: names and classes as a tree at the left, numbers at the right.
std::string module_text(const ModuleTree& tree, const TextOptions& options, const Style& style);

}  // namespace cameo::inspect
