#pragma once
// int64 arithmetic with the roundings that Python and its like use, and sums that wrap as the machine's do.
#include <cstdint>
#include <limits>
#include <numeric>

namespace cameo::sym {

inline constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();

constexpr std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
constexpr std::int64_t wrapping_sub(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
constexpr std::int64_t wrapping_mul(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

// b is not 0 in any of these.
constexpr std::int64_t trunc_div(std::int64_t a, std::int64_t b) {
  return b == -1 ? wrapping_sub(0, a) : a / b;
}
constexpr std::int64_t trunc_mod(std::int64_t a, std::int64_t b) { return b == -1 ? 0 : a % b; }
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  const std::int64_t r = trunc_mod(a, b);
  return trunc_div(a, b) - ((r != 0 && (r < 0) != (b < 0)) ? 1 : 0);
}
constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  const std::int64_t r = trunc_mod(a, b);
  return (r != 0 && (r < 0) != (b < 0)) ? r + b : r;
}
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return floor_div(a, b) + (trunc_mod(a, b) != 0 ? 1 : 0);
}

// The greatest common divisor; kLowest counts as 1, so that the result always fits.
constexpr std::int64_t common_divisor(std::int64_t a, std::int64_t b) {
  return a == kLowest || b == kLowest ? 1 : std::gcd(a, b);
}

}  // namespace cameo::sym
