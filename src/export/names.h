#pragma once
// Names that the user chose for inputs and outputs.

#include <string>
#include <string_view>

#include "cameo/export.h"

namespace cameo {

// Throws Error if a name is empty or given twice.
void check_names(const ExportOptions& options);
[[noreturn]] void refuse_name(const std::string& name, std::string_view why);

}  // namespace cameo
