#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cameo {

// Text from a file, made safe to show on one line: control characters (a terminal would obey them), line ends
// included, and bytes that are no UTF-8 become \xNN; everything else stays as it is.
std::string printable(std::string_view text);

// Columns that printable text takes in a terminal, one a code point.
std::size_t display_width(std::string_view printable_text);

inline bool is_listed(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace cameo
