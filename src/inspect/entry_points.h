#pragma once
// The methods that can be called, and their arguments.

#include <vector>

#include "cameo/inspect.h"
#include "script/program.h"

namespace cameo::inspect {

// forward first, the rest in the program's order; without private methods and helpers that PyTorch generates.
std::vector<EntryPoint> gather_entry_points(const script::Program& program);

}  // namespace cameo::inspect
