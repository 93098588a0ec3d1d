#pragma once
// Reads little-endian integers from bytes at any address.
#include <cstring>
#include <string_view>
#include <type_traits>

#include "base/mapped_file.h"

namespace cameo::archive {

// Requires offset + sizeof(T) <= bytes.size().
template <class T>
T load_le(Bytes bytes, std::size_t offset) {
  using U = std::make_unsigned_t<T>;
  U value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value = static_cast<U>(value | static_cast<U>(static_cast<U>(bytes[offset + i]) << (8 * i)));
  }
  return static_cast<T>(value);
}

inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

inline bool starts_with(Bytes bytes, std::string_view magic, std::size_t offset = 0) {
  return bytes.size() >= offset && as_text(bytes.subspan(offset)).starts_with(magic);
}

}  // namespace cameo::archive
