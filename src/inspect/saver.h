#pragma once
// The releases of PyTorch that may have written the file. No record names the release; it follows from traits
// of the writer.

#include "cameo/inspect.h"
#include "script/program.h"

namespace cameo::inspect {

Saver gather_saver(const script::Program& program, const archive::Archive& archive);

}  // namespace cameo::inspect
