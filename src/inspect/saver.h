#pragma once
// Which PyTorch wrote the file? No record says so; only traits of the writer narrow it down.

#include "cameo/inspect.h"
#include "script/program.h"

namespace cameo::inspect {

Saver gather_saver(const script::Program& program, const archive::Archive& archive);

}  // namespace cameo::inspect
