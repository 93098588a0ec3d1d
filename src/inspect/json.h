#pragma once
#include <string>

#include "inspect/report.h"

namespace cameo::inspect {

// The report for machines; docs/inspect.md lists the keys.
std::string to_json(const Report& report);

}  // namespace cameo::inspect
