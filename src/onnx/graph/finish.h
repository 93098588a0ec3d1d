#pragma once
// The last steps on a graph before it is written.

#include "onnx/graph/graph.h"

namespace cameo::onnx {

// Drops nodes that no output depends on, in subgraphs too.
void prune(Model& model);

enum class NameStyle {
  modules,  // after the module that calls it: "/layer1/0/conv1/Conv", "/layer1/0/conv1/Conv_output_0"
  numbers,  // nodes "Conv_0", values "1"
};

// Gives every node and value in use a unique name. Inputs and outputs keep their names, constants keep their
// state-dict path if it is free, and everything else is named in the given style. The same graph always gets
// the same names.
void assign_names(Model& model, NameStyle style = NameStyle::modules);

// The contract of a graph: every input of a node is defined before it and visible from it, every value has
// one producer, nothing symbolic is left. Throws InternalError.
void verify(const Model& model);

inline void finish(Model& model, NameStyle style = NameStyle::modules) {
  prune(model);
  assign_names(model, style);
}

}  // namespace cameo::onnx
