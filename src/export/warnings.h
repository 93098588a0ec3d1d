#pragma once
// Warnings about a model as a whole.

#include <vector>

#include "cameo/export.h"
#include "eval/state/value.h"
#include "onnx/graph/graph.h"

namespace cameo {

// A module that was saved in training mode within a model that was not. Call it before the mode is set.
void warn_of_training(const eval::Object& root, const ExportOptions& options,
                      std::vector<Diagnostic>& warnings);

// Inputs that reach no output, and outputs that depend on no input, where `inputs` are the entry point's.
void warn_of_unconnected(const onnx::Model& model, const std::vector<onnx::Value*>& inputs,
                         std::vector<Diagnostic>& warnings);

// Operators on tensors of f64 for which ONNX Runtime's CPU provider has no kernel.
void warn_of_float64(const onnx::Model& model, std::vector<Diagnostic>& warnings);

}  // namespace cameo
