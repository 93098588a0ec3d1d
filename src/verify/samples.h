#pragma once
#include <optional>
#include <vector>

#include "cameo/array.h"
#include "exported/program.h"

namespace cameo::verify {

// The inputs that the program was exported with, one for each of runtime_inputs(); a number is an array without axes.
// Absent if the file has none, or some that are not tensors and numbers.
std::optional<std::vector<Array>> sample_inputs(const exported::Program& program);

}  // namespace cameo::verify
