#pragma once
#include <string>

#include "onnx/proto/messages.h"

namespace cameo::model {

// The line of Python that a node came from, "net.py:7:0", as far as its metadata or its doc string say so:
// Cameo's and torch.onnx's are understood. Empty if they do not.
std::string source_line(const onnx::proto::Node& node);

// The path of its module, "layer1.0"; empty if it is not said.
std::string module_path(const onnx::proto::Node& node);

}  // namespace cameo::model
