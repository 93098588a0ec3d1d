#pragma once
#include <string>
#include <vector>

#include "base/style.h"
#include "cameo/inspect.h"
#include "inspect/code.h"

namespace cameo::inspect {

// For people: two columns on a wide screen, otherwise each line of Python as a comment above what became of
// it.
std::string to_text(const std::vector<Listing>& listings, const InspectOptions& options);

// Parts of it: where a listing is from, a line of code in colours, and the Python of a line as a comment,
// each of the latter with its indentation; empty if the Python is not known or as for the line before.
std::string heading(const Listing& listing, const Style& style);
std::string highlighted(std::string_view code, const Style& style);
std::string python_comment(const CodeLine& line, const Style& style);
inline constexpr std::size_t kWide = 110;  // columns from which on two of them are readable

// For machines; docs/inspect.md lists the keys.
std::string to_json(const std::string& file, const std::vector<Listing>& listings);

}  // namespace cameo::inspect
