#pragma once
#include <string>
#include <string_view>

#include "base/mapped_file.h"
#include "cameo/export.h"

namespace cameo {

// Throws Error if a name is empty or given twice, or if options contradict each other.
void check_options(const ExportOptions& options);
// Throws Error if weights are to be linked to a program that is not in a file.
void check_link(const ExportOptions& options, const MappedFile& program);

[[noreturn]] void refuse_name(const std::string& name, std::string_view why);

}  // namespace cameo
