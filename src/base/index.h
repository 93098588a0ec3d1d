#pragma once
// Signed indices and sizes, as ONNX and PyTorch have them, for the containers of C++, whose sizes are
// unsigned.

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "cameo/diagnostic.h"

namespace cameo {

// Throws InternalError if the size is negative.
inline std::size_t as_size(std::int64_t size) {
  if (size < 0) throw InternalError("a list cannot have a negative size");
  return static_cast<std::size_t>(size);
}

// The element of a list at an index in [-size, size): negative indices count from the end. Throws
// InternalError for any other index.
template <class List>
decltype(auto) element_at(List& list, auto index) {
  const auto size = std::ssize(list), signed_index = static_cast<decltype(size)>(index);
  const auto place = signed_index < 0 ? signed_index + size : signed_index;
  if (place < 0 || place >= size) throw InternalError("an index lies outside its list");
  return *(std::begin(list) + place);
}

}  // namespace cameo
