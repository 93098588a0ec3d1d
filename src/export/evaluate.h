#pragma once
#include "cameo/export.h"
#include "onnx/graph.h"
#include "script/program.h"

namespace cameo {

// Runs the entry point on the inputs that the options or the file give, and so makes the graph. Throws Error
// with everything that cannot be converted.
void evaluate(const script::Program& program, onnx::Model& model, const ExportOptions& options,
              ExportReport& report);

}  // namespace cameo
