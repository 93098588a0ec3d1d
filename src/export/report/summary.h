#pragma once
#include "cameo/export.h"
#include "onnx/graph/graph.h"
#include "onnx/proto/messages.h"

namespace cameo {

// The parts of a finished model: inputs, outputs, operators and the size of its constants.
void summarize(const onnx::Model& model, ExportReport& report);
// Replaces inputs, outputs and operators of the report by those of messages that were changed since.
void summarize(const onnx::proto::Model& model, ExportReport& report);

}  // namespace cameo
