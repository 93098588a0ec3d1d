#pragma once
// Checks whether a model is valid ONNX: structure, names, order, operators with their arity, attributes and
// element types, initialisers, subgraphs and functions. Finds all faults at once.

#include <optional>
#include <string>
#include <vector>

#include "cameo/diagnostic.h"
#include "onnx/proto/messages.h"

namespace cameo::onnx {

struct CheckOptions {
  std::string file;                   // as the user named it
  std::optional<std::string> folder;  // of the files of external data; absent: they are not checked
};

struct Fault {
  Diagnostic diagnostic;            // stage check
  std::string node;                 // the name of the node at fault, if it has one
  const proto::Node* at = nullptr;  // that node; null for a fault of the graph or the model
  bool runs = false;                // ONNX Runtime accepts the model; the official checker does not
};

// Errors and warnings in the order of the file; empty if there are none. Time grows with the number of nodes
// and attributes, not with the weights.
std::vector<Fault> check(const proto::Model& model, const CheckOptions& options = {});

}  // namespace cameo::onnx
