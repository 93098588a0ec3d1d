#pragma once
#include <string>

#include "onnx/proto/messages.h"

namespace cameo::model {

// The line of Python that a node came from, "net.py:7:0", from its metadata or its doc string, as Cameo and
// torch.onnx write them. Empty if they do not name one.
std::string source_line(const onnx::proto::Node& node);

// The path of its module, "layer1.0"; empty if it is not known.
std::string module_path(const onnx::proto::Node& node);

}  // namespace cameo::model
