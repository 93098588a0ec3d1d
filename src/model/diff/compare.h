#pragma once
// The parts of a comparison of two models.

#include "model/diff/body.h"
#include "model/diff/findings.h"

namespace cameo::model {

// Inputs, or outputs, of the models: `what` says which.
void compare_interface(Findings& findings, const char* what, const std::vector<onnx::proto::ValueInfo>& a,
                       const std::vector<onnx::proto::ValueInfo>& b, Renames& renames);

// Initialisers by name, and those left by what they hold.
void compare_weights(Findings& findings, Sides sides, const onnx::proto::Graph& a,
                     const onnx::proto::Graph& b, Renames& renames);

// Everything within: weights, nodes and their subgraphs, and what the results are. `renames` knows the
// inputs.
void compare_bodies(Findings& findings, Sides sides, const Body& a, const Body& b, Renames& renames);

// The same of a subgraph or a function, whose inputs and outputs are known by their position.
void compare_inner(Findings& findings, Sides sides, std::string place, const Body& a, const Body& b,
                   const Renames& outer);

// What differs in the operator and the attributes of two nodes, but for graphs.
std::vector<std::string> node_differences(Sides sides, const onnx::proto::Node& a,
                                          const onnx::proto::Node& b);

// But for names and for what constants hold: follows both from their outputs up. Inputs and outputs are known
// by their position.
void compare_structure(Findings& findings, Sides sides, const Body& a, const Body& b);

}  // namespace cameo::model
