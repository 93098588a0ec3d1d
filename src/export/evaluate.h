#pragma once
#include <vector>

#include "export/inputs/dynamic_axes.h"
#include "export/parameters.h"
#include "export/settle.h"
#include "export/state.h"
#include "onnx/graph/graph.h"
#include "script/program.h"

namespace cameo {

struct Evaluated {
  std::vector<onnx::Value*> inputs;  // of the entry point, and of the state
  std::vector<Parameter> parameters;
  std::vector<StateIo> state = {};
};

// The paths of the state that the program changes.
std::set<std::string> find_state(const script::Program& program, const Settled& settled);

// Runs the entry point on the inputs that the options or the file give, and so makes the graph. Throws Error
// with everything that cannot be converted.
Evaluated evaluate(const script::Program& program, onnx::Model& model, const Settled& settled,
                   DynamicAxes& axes, ExportReport& report);

}  // namespace cameo
