#include "archive/pickle_text.h"

#include <charconv>

namespace cameo::archive {
namespace {

template <class T>
std::optional<T> parse_all(std::string_view text, T value = {}, int base = 10) {
  std::from_chars_result result{};
  if constexpr (std::is_integral_v<T>) {
    result = std::from_chars(text.data(), text.data() + text.size(), value, base);
  } else {
    result = std::from_chars(text.data(), text.data() + text.size(), value);
  }
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t bits) { out.push_back(static_cast<char>(bits)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | code >> 6), byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f));
  } else {
    byte(0xf0 | (code >> 18 & 7)), byte(0x80 | (code >> 12 & 0x3f));
    byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f));
  }
}

std::optional<std::uint32_t> take_hex(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  const auto value = parse_all<std::uint32_t>(text.substr(0, digits), 0, 16);
  text.remove_prefix(digits);
  return value;
}

std::optional<std::uint32_t> take_octal(std::string_view& text) {
  std::size_t digits = 0;
  while (digits < 3 && digits < text.size() && text[digits] >= '0' && text[digits] <= '7') ++digits;
  const auto value = parse_all<std::uint32_t>(text.substr(0, digits), 0, 8);
  text.remove_prefix(digits);
  return value;
}

// `text` begins behind the backslash.
std::optional<char> take_escape(std::string_view& text) {
  const char kind = text.front();
  if (kind >= '0' && kind <= '7') {
    const auto value = take_octal(text);
    return value ? std::optional(static_cast<char>(*value)) : std::nullopt;
  }
  text.remove_prefix(1);
  switch (kind) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'v': return '\v';
    case 'x': {
      const auto value = take_hex(text, 2);
      return value ? std::optional(static_cast<char>(*value)) : std::nullopt;
    }
    case '\\':
    case '\'':
    case '"': return kind;
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<std::int64_t> parse_decimal(std::string_view text) {
  if (text.ends_with('L')) text.remove_suffix(1);
  return parse_all<std::int64_t>(text);
}

std::optional<double> parse_float(std::string_view text) { return parse_all<double>(text); }

std::optional<std::string> parse_quoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '\'' || text.front() == '"');
  if (!quoted || text.back() != text.front()) return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::string out;
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c != '\\') {
      out.push_back(c);
      continue;
    }
    const auto escaped = text.empty() ? std::nullopt : take_escape(text);
    if (!escaped) return std::nullopt;
    out.push_back(*escaped);
  }
  return out;
}

std::optional<std::string> parse_unicode_escape(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text.starts_with("\\u") || text.starts_with("\\U")) {
      const std::size_t digits = text[1] == 'u' ? 4 : 8;
      text.remove_prefix(2);
      const auto code = take_hex(text, digits);
      if (!code || *code > 0x10ffff) return std::nullopt;
      append_utf8(out, *code);
      continue;
    }
    append_utf8(out, static_cast<unsigned char>(text.front()));
    text.remove_prefix(1);
  }
  return out;
}

}  // namespace cameo::archive
