#pragma once
#include <string>

#include "cameo/inspect.h"
#include "onnx/graph/graph.h"
#include "script/program.h"

namespace cameo {

// The entry point and every function that nodes came from, in the order of its first node, each line with its
// nodes: beside it on a wide screen, otherwise below it.
std::string program_text(const script::Program& program, const std::string& entry, const onnx::Model& model,
                         const inspect::TextOptions& options);

}  // namespace cameo
