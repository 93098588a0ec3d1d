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
// earlier one is left out. To be asked for before the program runs.
std::vector<Parameter> parameters_of(const eval::Object& root);

// Orders and names the parameters of a pruned model as the options say; the result are notes about names that
// an input or output has already. Names for inputs beyond the entry point's go to the parameters; Error if
// there are too many of them. Parameters that are inputs and that nothing reads are left out.
std::vector<Diagnostic> place_parameters(onnx::Model& model, const std::vector<Parameter>& parameters,
                                         const ExportOptions& options);

}  // namespace cameo
