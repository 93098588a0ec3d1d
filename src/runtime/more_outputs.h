#pragma once
#include <string>
#include <vector>

#include "base/mapped_file.h"

namespace cameo::runtime {

// The ONNX file `model` with the named values as outputs too.
std::string with_outputs(Bytes model, const std::vector<std::string>& names);

}  // namespace cameo::runtime
