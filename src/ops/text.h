#pragma once
#include <string>

#include "ops/find.h"

namespace cameo::ops {

// An operator and its overloads as text or JSON, with nodes and arguments if `options.explain`.
std::string to_text(const Found& found, const OpsOptions& options);
std::string to_json(const std::vector<Found>& found, const OpsOptions& options);

}  // namespace cameo::ops
