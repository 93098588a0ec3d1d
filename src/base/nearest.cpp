#include "base/nearest.h"

#include <algorithm>
#include <vector>

namespace cameo {
namespace {

constexpr std::size_t kLongestWord = 200;  // the comparison is quadratic

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last, row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::move(last);
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  if (word.size() > kLongestWord) return {};
  std::size_t least = std::max<std::size_t>(word.size() / 3, 1) + 1;
  const std::string* best = nullptr;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > word.size() + least || candidate.empty()) continue;
    const std::size_t d = distance(word, candidate);
    if (d >= least) continue;
    least = d;
    best = &candidate;
  }
  return best == nullptr ? std::string() : *best;
}

}  // namespace cameo
