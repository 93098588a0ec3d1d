#pragma once
// The literals of the text opcodes (pickle protocol 0). Each returns nothing if the text is malformed.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cameo::archive {

std::optional<std::int64_t> parse_decimal(std::string_view text);  // "-12", also with Python 2's "L" behind
std::optional<double> parse_float(std::string_view text);          // "1.5e-3", "inf", "nan"
std::optional<std::string> parse_quoted(std::string_view text);    // 'a\x00b': Python's repr of a str
std::optional<std::string> parse_unicode_escape(std::string_view text);  // a\u0020b, as UTF-8

}  // namespace cameo::archive
