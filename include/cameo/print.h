#pragma once
// Programs as text.

#include <string>

#include "cameo/export.h"
#include "cameo/inspect.h"

namespace cameo {

// A TorchScript program, each line with the ONNX nodes that it becomes; nothing is written. Throws as
// export_onnx() does.
std::string print_program(const std::string& path, const ExportOptions& options = {},
                          const inspect::TextOptions& look = {});

}  // namespace cameo
