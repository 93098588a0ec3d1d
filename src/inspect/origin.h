#pragma once
#include <string_view>

#include "script/program.h"

namespace cameo::inspect {

// How the program was made. No record says so: source ranges of traced code are call stacks, and each way
// leaves its own idioms.
enum class Origin { unknown, scripted, traced, mixed };

Origin gather_origin(const script::Program& program);

std::string_view name(Origin origin);  // "traced"

}  // namespace cameo::inspect
