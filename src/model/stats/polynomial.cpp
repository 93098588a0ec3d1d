#include "model/stats/polynomial.h"

#include <algorithm>
#include <iterator>

#include "base/checked.h"

namespace cameo::model {

bool Polynomial::add(const std::vector<std::string>& sizes, std::uint64_t factor) {
  std::uint64_t& term = terms_[sizes];
  const auto total = checked_add(term, factor);
  term = total.value_or(0);
  return total.has_value();
}

std::optional<Polynomial> Polynomial::sum(const Polynomial& a, const Polynomial& b) {
  Polynomial result = a;
  for (const auto& [sizes, factor] : b.terms_)
    if (!result.add(sizes, factor)) return std::nullopt;
  return result;
}

std::optional<Polynomial> Polynomial::product(const Polynomial& a, const Polynomial& b) {
  Polynomial result;
  for (const auto& [left, m] : a.terms_)
    for (const auto& [right, n] : b.terms_) {
      std::vector<std::string> sizes;
      std::ranges::merge(left, right, std::back_inserter(sizes));
      const auto factor = checked_mul(m, n);
      if (!factor || !result.add(sizes, *factor)) return std::nullopt;
    }
  return result;
}

}  // namespace cameo::model
