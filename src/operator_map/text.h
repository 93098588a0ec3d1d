#pragma once
#include <string>

#include "operator_map/find.h"

namespace cameo::operator_map {

// An operator and its overloads as text or JSON, with nodes and arguments if `format.explain`.
std::string to_text(const Found& found, const OpsOptions& options, const OpsFormat& format);
std::string to_json(const std::vector<Found>& found, const OpsOptions& options, const OpsFormat& format);

}  // namespace cameo::operator_map
