#pragma once
// ONNX models, by whomever they were made.

#include <string>
#include <vector>

#include "cameo/diagnostic.h"

namespace cameo {

// Is the file a valid ONNX model? All faults at once, errors and warnings (stage check); empty if there are
// none. External data is looked for in the model's folder. Throws Error (stage read) if the file cannot be
// read or is no ONNX file.
std::vector<Diagnostic> check_model(const std::string& path);

}  // namespace cameo
