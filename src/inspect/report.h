#pragma once
#include "cameo/inspect.h"
#include "script/program.h"

namespace cameo::inspect {

// Reads all of the program's code and objects, no tensor's bytes. Throws Error if a part does not parse.
Report gather(const script::Program& program);

}  // namespace cameo::inspect
