#pragma once
// Character classes that do not depend on the locale.

namespace cameo::script {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_word_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
// The value of a digit up to base 16; 16 for anything else.
constexpr unsigned digit_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return 16;
}

}  // namespace cameo::script
