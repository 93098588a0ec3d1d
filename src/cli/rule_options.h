#pragma once
#include <CLI/CLI.hpp>

#include "cameo/export.h"

namespace cameo::cli {

// --no-rule, --stop-after, --list-rules.
void add_rule_options(CLI::App& command, ExportOptions& options);

}  // namespace cameo::cli
