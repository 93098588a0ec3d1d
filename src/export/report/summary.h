#pragma once
#include "cameo/export.h"
#include "onnx/graph/graph.h"

namespace cameo {

// The parts of a finished model: inputs, outputs, operators and the size of its constants.
void summarize(const onnx::Model& model, ExportReport& report);

}  // namespace cameo
