#pragma once
#include <vector>

#include "cameo/input_spec.h"
#include "export/inputs/dynamic_axes.h"
#include "script/program.h"

namespace cameo {

// The inputs of forward(), for a program whose file declares them; else `given`. `given` and `axes` can rename
// the dynamic sizes of the file, fix them, and restrict their ranges. Throws Error (Code::declared_input) if they
// contradict the file.
std::vector<InputSpec> with_declared_inputs(const script::Program& program, std::vector<InputSpec> given,
                                            const DynamicAxes& axes);

}  // namespace cameo
