#pragma once
#include "cameo/export.h"

namespace CLI {
class App;
}

namespace cameo::cli {

// --training, --operator-export-type, --aten, --raw-ir, --custom-opset.
void add_operator_options(CLI::App& command, ExportOptions& options);

}  // namespace cameo::cli
