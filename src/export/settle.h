#pragma once
// What one option makes of others, and the warnings about it.

#include <vector>

#include "cameo/export.h"
#include "onnx/graph/graph.h"
#include "script/program.h"

namespace cameo {

struct Settled {
  ExportOptions options;
  bool in_training = false;  // the program is exported as it runs in training
};
Settled settle(ExportOptions options, const script::Program& program, std::vector<Diagnostic>& warnings);

// Every domain that a node is of gets its version: the one asked for, that of the converters, or 1. A version
// for a domain that no node is of is warned about.
void settle_domains(onnx::Model& model, const ExportOptions& options, std::vector<Diagnostic>& warnings);

}  // namespace cameo
