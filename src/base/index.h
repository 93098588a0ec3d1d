#pragma once
// Signed indices and sizes, as ONNX and PyTorch have them, for the containers of C++, whose sizes are
// unsigned.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <vector>

#include "cameo/diagnostic.h"

namespace cameo {

// Throws InternalError if the size is negative.
inline std::size_t as_size(std::int64_t size) {
  if (size < 0) throw InternalError("a list cannot have a negative size");
  return static_cast<std::size_t>(size);
}

// The element of a list at an index in [-size, size): negative indices count from the end. An enumerator is
// an index too. Throws InternalError for any other index.
template <class List>
constexpr decltype(auto) element_at(List& list, auto index) {
  const auto size = std::ssize(list), signed_index = static_cast<decltype(size)>(index);
  const auto place = signed_index < 0 ? signed_index + size : signed_index;
  if (place < 0 || place >= size) throw InternalError("an index lies outside its list");
  return *(std::begin(list) + place);
}

// The index of an element of a list, or the size of the list for its end.
template <class List, class Iterator>
std::size_t position_in(const List& list, Iterator element) {
  return static_cast<std::size_t>(element - std::begin(list));
}

// The numbers first, first + 1, …, first + count - 1. Throws InternalError if the count is negative.
inline std::vector<std::int64_t> consecutive(std::int64_t first, std::int64_t count) {
  std::vector<std::int64_t> numbers(as_size(count));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

// The permutation that undoes the given one. Throws InternalError if an element is not an index of the list.
inline std::vector<std::int64_t> inverse_permutation(const std::vector<std::int64_t>& permutation) {
  std::vector<std::int64_t> inverse(permutation.size());
  std::int64_t place = 0;
  for (const std::int64_t index : permutation) element_at(inverse, index) = place++;
  return inverse;
}

}  // namespace cameo
