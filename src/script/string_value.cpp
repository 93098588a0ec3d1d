#include <algorithm>
#include <optional>

#include "script/chars.h"
#include "script/lexer.h"

namespace cameo::script {
namespace {

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  const auto tail = [&](int shift) { put(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    put(0xf0 | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

// Exactly `count` hexadecimal digits at the head of `text`.
std::optional<std::uint32_t> hex(std::string_view text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : text.substr(0, count)) {
    if (digit_value(c) > 15) return std::nullopt;
    value = value << 4 | digit_value(c);
  }
  return value;
}

// Appends what the escape after a backslash stands for; the length of the escape in `text`.
std::size_t unescape(std::string_view text, std::string& out) {
  constexpr std::string_view kLetters = "abfnrtv\\'\"", kBytes = "\a\b\f\n\r\t\v\\'\"";
  const char c = text[0];
  if (const auto i = kLetters.find(c); i != kLetters.npos) {
    out += kBytes[i];
    return 1;
  }
  if (c == '\n') return 1;
  if (c == '\r') return text.starts_with("\r\n") ? 2 : 1;
  if (digit_value(c) < 8) {
    std::size_t length = 0;
    unsigned value = 0;
    for (; length < 3 && length < text.size() && digit_value(text[length]) < 8; ++length) {
      value = value * 8 + digit_value(text[length]);
    }
    out += static_cast<char>(value & 0xff);
    return length;
  }
  if (const std::size_t count = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0) {
    const auto value = hex(text.substr(1), count);
    if (value && *value <= 0x10ffff) {
      if (c == 'x') {
        out += static_cast<char>(*value);
      } else {
        append_utf8(out, *value);
      }
      return count + 1;
    }
  }
  out += '\\';
  return 0;
}

}  // namespace

std::string string_value(std::string_view token) {
  const bool triple = token.size() >= 6 && token[1] == token[0] && token[2] == token[0];
  const std::size_t quotes = triple ? 3 : 1;
  std::string_view rest = token.substr(quotes, token.size() - 2 * quotes);
  std::string out;
  out.reserve(rest.size());
  while (!rest.empty()) {
    const std::size_t plain = std::min(rest.find('\\'), rest.size());
    out += rest.substr(0, plain);
    rest.remove_prefix(plain);
    if (!rest.empty()) rest.remove_prefix(1 + unescape(rest.substr(1), out));
  }
  return out;
}

}  // namespace cameo::script
