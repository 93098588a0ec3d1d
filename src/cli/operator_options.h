#pragma once
#include <CLI/CLI.hpp>

#include "cameo/export.h"

namespace cameo::cli {

// --training, --operator-export-type, --aten, --raw-ir, --custom-opset.
void add_operator_options(CLI::App& command, ExportOptions& options);

}  // namespace cameo::cli
