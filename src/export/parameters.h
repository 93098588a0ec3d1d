#pragma once
// Parameters and buffers of the program on their way into the graph.

#include <string>
#include <vector>

#include "cameo/export.h"
#include "eval/state/value.h"
#include "onnx/graph/graph.h"

namespace cameo {

struct Parameter {
  std::string path;  // "layer1.0.weight"
  onnx::Value* value = nullptr;
};

// In the order of the state dict: parameters, buffers, then the modules within; one that is tied to an
// earlier one is left out. Call it before the program runs.
std::vector<Parameter> parameters_of(const eval::Object& root);

// Orders and names the parameters of a pruned model as the options say; returns notes about names that an
// input or output already has. Names of inputs beyond those of the entry point belong to the parameters.
// Throws Error if there are too many. Removes parameters that are inputs and that no node reads.
std::vector<Diagnostic> place_parameters(onnx::Model& model, const std::vector<Parameter>& parameters,
                                         const ExportOptions& options);

}  // namespace cameo
