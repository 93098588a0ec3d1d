#pragma once
#include <string>
#include <vector>

#include "cameo/export.h"
#include "cli/options.h"

namespace cameo::cli {

// --training, --operator-export-type, --aten, --raw-ir, --custom-opset.
void add_operator_options(Command command, ExportOptions& options);
// --rewrite.
void add_rewrite_option(Command command, std::vector<std::string>& files);
// --target.
void add_target_option(Command command, std::string& target);
// --plugin.
void add_plugin_option(Command command, std::vector<std::string>& plugins);

}  // namespace cameo::cli
