#include "exported/base64.h"

#include <cstdint>

namespace cameo::exported {
namespace {

// The value of a digit of base64; 64 if it is none.
std::uint32_t base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a' + 26);
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0' + 52);
  return c == '+' ? 62 : c == '/' ? 63 : 64;
}

}  // namespace

std::optional<std::vector<std::byte>> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const std::size_t digits = at + 4 == text.size() ? 4 - padding : 4;
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint32_t digit = i < digits ? base64_digit(text[at + i]) : 0;
      if (digit > 63) return std::nullopt;
      group = group << 6U | digit;
    }
    for (std::size_t i = 0; i + 1 < digits; ++i) {
      bytes.push_back(static_cast<std::byte>(group >> (16 - 8 * i) & 0xFFU));
    }
  }
  return bytes;
}

}  // namespace cameo::exported
