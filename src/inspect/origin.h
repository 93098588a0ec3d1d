#pragma once
#include "cameo/inspect.h"
#include "script/program.h"

namespace cameo::inspect {

Origin gather_origin(const script::Program& program);

}  // namespace cameo::inspect
