#pragma once
// The module tree with its weights.

#include <cstdint>

#include "cameo/inspect.h"
#include "script/program.h"

namespace cameo::inspect {

// Each object is visited once, however often it is shared, and nothing recurses. Throws Error if the paths of
// the modules would not fit into reasonable memory.
ModuleTree gather_modules(const script::Program& program);

std::int64_t saturating_add(std::int64_t a, std::int64_t b);  // of numbers that are not negative

}  // namespace cameo::inspect
