#pragma once
#include <string>

#include "cameo/inspect.h"
#include "inspect/report.h"

namespace cameo::inspect {

// The report for people.
std::string to_text(const Report& report, const InspectOptions& options);

}  // namespace cameo::inspect
