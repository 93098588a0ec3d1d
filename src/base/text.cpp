#include "base/text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

#include <fmt/core.h>

namespace cameo {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

struct Character {
  std::uint32_t code = 0;
  std::size_t size = 0;  // in bytes; 0: the text does not start with a character in UTF-8
};

Character first_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return {first, 1};
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return {};
  std::uint32_t code = first & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if (!is_continuation(text[i])) return {};
    code = (code << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return {};
  return {code, size};
}

// Bytes of the character that `text` starts with; 0 if it is none that may be shown.
std::size_t printable_prefix(std::string_view text) {
  const auto [code, size] = first_character(text);
  const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool bidirectional = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return control || bidirectional ? 0 : size;
}

// Bytes of ASCII that `text` starts with, rounded down to whole words.
std::size_t ascii_words(std::string_view text) {
  std::size_t at = 0;
  for (std::uint64_t word = 0; text.size() - at >= sizeof word; at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & 0x8080808080808080U) != 0) break;
  }
  return at;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = printable_prefix(text);
    if (size == 0) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else {
      result += text.substr(0, size);
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return result;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    text.remove_prefix(ascii_words(text));
    if (text.empty()) return true;
    const std::size_t size = first_character(text).size;
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

std::size_t display_width(std::string_view printable_text) {
  return static_cast<std::size_t>(std::count_if(printable_text.begin(), printable_text.end(),
                                                [](char c) { return !is_continuation(c); }));
}

void append_text(std::string& out, std::int64_t value) { out += std::to_string(value); }
void append_text(std::string& out, std::uint64_t value) { out += std::to_string(value); }
void append_text(std::string& out, float value) { out += fmt::format("{}", value); }
void append_text(std::string& out, double value) { out += fmt::format("{}", value); }

}  // namespace cameo
