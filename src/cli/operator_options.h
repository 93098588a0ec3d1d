#pragma once
#include <string>
#include <vector>

#include "cameo/export.h"
#include "cli/options.h"

namespace cameo::cli {

// --training, --operator-export-type, --aten, --raw-ir, --custom-opset.
void add_operator_options(Command command, ExportOptions& options);
// --plugin.
void add_plugin_option(Command command, std::vector<std::string>& plugins);

}  // namespace cameo::cli
