#pragma once
#include <string>
#include <vector>

#include "cameo/inspect.h"
#include "inspect/code.h"

namespace cameo::inspect {

// For people: two columns on a wide screen, otherwise each line of Python as a comment above what became of
// it.
std::string to_text(const std::vector<Listing>& listings, const InspectOptions& options);

// For machines; docs/inspect.md lists the keys.
std::string to_json(const std::string& file, const std::vector<Listing>& listings);

}  // namespace cameo::inspect
