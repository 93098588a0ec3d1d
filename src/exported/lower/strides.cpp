#include "exported/lower/strides.h"

#include <algorithm>

namespace cameo::exported {
namespace {

using Numbers = std::vector<std::int64_t>;

std::optional<Numbers> numbers(const std::vector<SymInt>& sizes) {
  Numbers out;
  for (const SymInt& size : sizes) {
    if (size.expression) return std::nullopt;
    out.push_back(size.value);
  }
  return out;
}

}  // namespace

// Dimensions of `from` that lie one inside the other are one chunk of memory. A view is possible if the
// dimensions of `to` fill the chunks exactly, from the last to the first.
std::optional<bool> is_view_possible(const TensorMeta& from, const TensorMeta& to) {
  const std::optional<Numbers> sizes = numbers(from.sizes), strides = numbers(from.strides), wanted = numbers(to.sizes);
  if (!sizes || !strides || !wanted || sizes->size() != strides->size()) return std::nullopt;
  if (std::ranges::find(*sizes, 0) != sizes->end()) return true;
  auto next = wanted->rbegin();
  std::int64_t chunk = 1, filled = 1;
  for (std::size_t d = sizes->size(); d-- > 0;) {
    chunk *= (*sizes)[d];
    const bool ends = d == 0 || ((*sizes)[d - 1] != 1 && (*strides)[d - 1] != (*sizes)[d] * (*strides)[d]);
    if (!ends) continue;
    while (next != wanted->rend() && (filled < chunk || *next == 1)) filled *= *next++;
    if (filled != chunk) return false;
    chunk = filled = 1;
  }
  return std::all_of(next, wanted->rend(), [](std::int64_t size) { return size == 1; });
}

std::optional<bool> is_contiguous(const TensorMeta& tensor) {
  const std::optional<Numbers> sizes = numbers(tensor.sizes), strides = numbers(tensor.strides);
  if (!sizes || !strides || sizes->size() != strides->size()) return std::nullopt;
  std::int64_t expected = 1;
  for (std::size_t d = sizes->size(); d-- > 0;) {
    if ((*sizes)[d] == 0) return true;
    if ((*sizes)[d] != 1 && (*strides)[d] != expected) return false;
    expected *= (*sizes)[d];
  }
  return true;
}

}  // namespace cameo::exported
