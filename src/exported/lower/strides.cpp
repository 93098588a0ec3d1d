#include "exported/lower/strides.h"

#include <algorithm>

#include "base/checked.h"

namespace cameo::exported {
namespace {

using Numbers = std::vector<std::int64_t>;

std::optional<Numbers> numbers(const std::vector<SymInt>& sizes) {
  Numbers out;
  for (const SymInt& size : sizes) {
    if (size.expression || size.value < 0) return std::nullopt;
    out.push_back(size.value);
  }
  return out;
}

// Sizes and strides as numbers; nothing if they are not, or if there are more elements than 64 bits can count.
struct Memory {
  Numbers sizes, strides;

  static std::optional<Memory> of(const TensorMeta& tensor) {
    std::optional<Numbers> sizes = numbers(tensor.sizes), strides = numbers(tensor.strides);
    if (!sizes || !strides || sizes->size() != strides->size()) return std::nullopt;
    std::optional<std::int64_t> elements = 1;
    for (std::size_t d = 0; d < sizes->size() && elements; ++d) {
      if (!checked_mul((*sizes)[d], (*strides)[d])) return std::nullopt;
      elements = checked_mul(*elements, std::max<std::int64_t>((*sizes)[d], 1));
    }
    if (!elements) return std::nullopt;
    return Memory{std::move(*sizes), std::move(*strides)};
  }
};

}  // namespace

// Dimensions of `from` that lie one inside the other are one chunk of memory. A view is possible if the
// dimensions of `to` fill the chunks exactly, from the last to the first.
std::optional<bool> is_view_possible(const TensorMeta& from, const TensorMeta& to) {
  const std::optional<Memory> memory = Memory::of(from), result = Memory::of(to);
  if (!memory || !result) return std::nullopt;
  const auto& [sizes, strides] = *memory;
  const Numbers& wanted = result->sizes;
  if (std::ranges::find(sizes, 0) != sizes.end()) return true;
  auto next = wanted.rbegin();
  std::int64_t chunk = 1, filled = 1;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    chunk *= sizes[d];
    const bool ends = d == 0 || (sizes[d - 1] != 1 && strides[d - 1] != sizes[d] * strides[d]);
    if (!ends) continue;
    while (next != wanted.rend() && (filled < chunk || *next == 1)) filled *= *next++;
    if (filled != chunk) return false;
    chunk = filled = 1;
  }
  return std::all_of(next, wanted.rend(), [](std::int64_t size) { return size == 1; });
}

std::optional<bool> has_same_order(const TensorMeta& a, const TensorMeta& b) {
  const std::optional<Memory> first = Memory::of(a), second = Memory::of(b);
  if (!first || !second || first->sizes != second->sizes) return std::nullopt;
  if (std::ranges::find(first->sizes, 0) != first->sizes.end()) return true;
  for (std::size_t d = 0; d < first->sizes.size(); ++d)
    if (first->sizes[d] != 1 && first->strides[d] != second->strides[d]) return false;
  return true;
}

}  // namespace cameo::exported
