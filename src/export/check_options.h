#pragma once
#include <string>
#include <string_view>

#include "cameo/export.h"

namespace cameo {

// Throws Error if a name is empty or given twice, or if options contradict each other.
void check_options(const ExportOptions& options);

[[noreturn]] void refuse_name(const std::string& name, std::string_view why);

}  // namespace cameo
