#pragma once
// The effects of options on other options, with warnings.

#include <set>
#include <string>
#include <vector>

#include "cameo/export.h"
#include "export/inputs/dynamic_axes.h"
#include "onnx/graph/graph.h"
#include "script/program.h"

namespace cameo {

struct Settled {
  ExportOptions options;
  bool in_training = false;          // the program is exported as it runs in training
  std::set<std::string> state = {};  // paths of the state that becomes inputs and outputs
};
Settled settle(ExportOptions options, const script::Program& program, const DynamicAxes& axes,
               std::vector<Diagnostic>& warnings);

// Gives each domain of a node its version: that of the options, that of the converters, or 1. Warns about
// versions for domains without nodes.
void settle_domains(onnx::Model& model, const ExportOptions& options, std::vector<Diagnostic>& warnings);

}  // namespace cameo
