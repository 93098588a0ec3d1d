#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cameo {

// Text from a file, made safe to show on one line: control characters (a terminal would obey them), line ends
// included, and bytes that are no UTF-8 become \xNN; everything else stays as it is.
std::string printable(std::string_view text);

bool is_utf8(std::string_view text);

// Columns that printable text takes in a terminal: one per code point.
std::size_t display_width(std::string_view printable_text);

inline bool is_listed(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Appends the text of a value, as fmt::format("{}") gives it.
void append_text(std::string& out, std::int64_t value);
void append_text(std::string& out, std::uint64_t value);
void append_text(std::string& out, float value);
void append_text(std::string& out, double value);

// The texts of the items with `separator` between them. Items are strings or numbers.
template <class Range>
std::string join(const Range& items, std::string_view separator) {
  std::string out;
  bool first = true;
  for (const auto& item : items) {
    if (!first) out += separator;
    first = false;
    using Item = std::remove_cvref_t<decltype(item)>;
    if constexpr (std::signed_integral<Item>)
      append_text(out, std::int64_t{item});
    else if constexpr (std::unsigned_integral<Item>)
      append_text(out, std::uint64_t{item});
    else if constexpr (std::floating_point<Item>)
      append_text(out, item);
    else
      out += item;
  }
  return out;
}

}  // namespace cameo
