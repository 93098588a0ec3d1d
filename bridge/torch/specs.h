#pragma once
#include <string>
#include <vector>

#include "cameo/torch/forward.h"

namespace cameo::torch {

// Example inputs as ExportOptions::inputs describes them: "f32[1,3,224,224]", "(i64[2], 3)".
std::vector<std::string> specs_of(const Inputs& inputs);

}  // namespace cameo::torch
