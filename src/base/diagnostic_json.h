#pragma once
#include <span>

#include "base/json.h"
#include "cameo/diagnostic.h"

namespace cameo {

// An array with one object per diagnostic. Absent fields are omitted.
Json to_json(std::span<const Diagnostic> diagnostics);

}  // namespace cameo
