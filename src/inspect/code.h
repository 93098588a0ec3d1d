#pragma once
// Source to show: which, and where each line came from.

#include <string>
#include <string_view>
#include <vector>

#include "cameo/inspect.h"
#include "inspect/find_code.h"
#include "script/program.h"

namespace cameo::inspect {

// The code that cameo::inspect::source() finds by `name`. Throws Error if there is none.
std::vector<Listing> list_code(const script::Program& program, const std::string& name);

Listing list_code(const script::Program& program, const Code& code);

// Of the calls that led to a line, the one in the user's own source rather than in PyTorch's.
const Position& own_frame(const std::vector<Position>& python);

}  // namespace cameo::inspect
