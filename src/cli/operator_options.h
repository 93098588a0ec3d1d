#pragma once
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cameo/export.h"

namespace cameo::cli {

// --training, --operator-export-type, --aten, --raw-ir, --custom-opset.
void add_operator_options(CLI::App& command, ExportOptions& options);
// --plugin.
void add_plugin_option(CLI::App& command, std::vector<std::string>& plugins);

}  // namespace cameo::cli
