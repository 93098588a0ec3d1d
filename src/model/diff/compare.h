#pragma once
// The parts of a comparison of two models.

#include "model/diff/body.h"
#include "model/diff/findings.h"

namespace cameo::model {

// Compares the inputs or outputs of the models; `what` is "input" or "output".
void compare_interface(Findings& findings, const char* what, const std::vector<onnx::proto::ValueInfo>& a,
                       const std::vector<onnx::proto::ValueInfo>& b, Renames& renames);

// Compares initialisers by name, and the others by their contents.
void compare_weights(Findings& findings, Sides sides, const onnx::proto::Graph& a,
                     const onnx::proto::Graph& b, Renames& renames);

// Compares weights, nodes, subgraphs and results. `renames` knows the inputs.
void compare_bodies(Findings& findings, Sides sides, const Body& a, const Body& b, Renames& renames);

// The same of a subgraph or a function, whose inputs and outputs are known by their position.
void compare_inner(Findings& findings, Sides sides, std::string place, const Body& a, const Body& b,
                   const Renames& outer);

// The differences between the operators and the attributes of two nodes, without graphs.
std::vector<std::string> node_differences(Sides sides, const onnx::proto::Node& a,
                                          const onnx::proto::Node& b);

// Compares without names and contents of constants: follows both graphs from their outputs upwards. Inputs
// and outputs are known by their position.
void compare_structure(Findings& findings, Sides sides, const Body& a, const Body& b);

}  // namespace cameo::model
