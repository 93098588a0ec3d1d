#include "sym/polynomial.h"

#include <algorithm>

#include "base/checked.h"

namespace cameo::sym {

int degree(const Monomial& m) {
  int sum = 0;
  for (const Factor& f : m) sum += f.power;
  return sum;
}

std::strong_ordering compare(const Monomial& a, const Monomial& b) {
  if (degree(a) != degree(b)) return degree(b) <=> degree(a);
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].atom != b[i].atom) return a[i].atom->id <=> b[i].atom->id;
    if (a[i].power != b[i].power) return b[i].power <=> a[i].power;
  }
  return b.size() <=> a.size();
}

Monomial multiply(const Monomial& a, const Monomial& b) {
  Monomial product;
  product.reserve(a.size() + b.size());
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->atom->id < j->atom->id)) {
      product.push_back(*i++);
    } else if (i == a.end() || j->atom->id < i->atom->id) {
      product.push_back(*j++);
    } else {
      product.push_back({i->atom, i->power + j->power});
      ++i, ++j;
    }
  }
  return product;
}

std::optional<Monomial> divide(const Monomial& a, const Monomial& b) {
  Monomial quotient;
  auto j = b.begin();
  for (const Factor& f : a) {
    if (j == b.end() || j->atom != f.atom) {
      quotient.push_back(f);
      continue;
    }
    if (j->power > f.power) return std::nullopt;
    if (j->power < f.power) quotient.push_back({f.atom, f.power - j->power});
    ++j;
  }
  if (j != b.end()) return std::nullopt;
  return quotient;
}

Monomial common_factor(const Monomial& a, const Monomial& b) {
  Monomial common;
  for (const Factor& f : a) {
    const auto other = std::find_if(b.begin(), b.end(), [&](const Factor& g) { return g.atom == f.atom; });
    if (other != b.end()) common.push_back({f.atom, std::min(f.power, other->power)});
  }
  return common;
}

Polynomial constant_polynomial(std::int64_t value) {
  if (value == 0) return {};
  return {Term{value, {}}};
}

Polynomial polynomial_of(Expr e) {
  if (const auto value = e.as_constant()) return constant_polynomial(*value);
  return {e.terms().begin(), e.terms().end()};
}

Polynomial polynomial_of(const Atom* atom) { return {Term{1, {{atom, 1}}}}; }

std::optional<std::int64_t> as_constant(const Polynomial& p) {
  if (p.empty()) return 0;
  if (p.size() == 1 && p.front().factors.empty()) return p.front().coefficient;
  return std::nullopt;
}

std::optional<Polynomial> combine(std::int64_t s, const Polynomial& a, std::int64_t t, const Polynomial& b) {
  Polynomial sum;
  sum.reserve(a.size() + b.size());
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() || j != b.end()) {
    const auto order = i == a.end()   ? std::strong_ordering::greater
                       : j == b.end() ? std::strong_ordering::less
                                      : compare(i->factors, j->factors);
    const Monomial& factors = std::is_lteq(order) ? i->factors : j->factors;
    const auto left = std::is_lteq(order) ? checked_mul(s, i++->coefficient) : std::int64_t{0};
    const auto right = std::is_gteq(order) ? checked_mul(t, j++->coefficient) : std::int64_t{0};
    if (!left || !right) return std::nullopt;
    const auto coefficient = checked_add(*left, *right);
    if (!coefficient) return std::nullopt;
    if (*coefficient != 0) sum.push_back({*coefficient, factors});
  }
  if (sum.size() > kMaxPolynomialTerms) return std::nullopt;
  return sum;
}

std::optional<Polynomial> multiply(const Polynomial& a, const Term& b) {
  Polynomial product;
  product.reserve(a.size());
  for (const Term& term : a) {
    const auto coefficient = checked_mul(term.coefficient, b.coefficient);
    if (!coefficient) return std::nullopt;
    product.push_back({*coefficient, multiply(term.factors, b.factors)});
    if (degree(product.back().factors) > kMaxDegree) return std::nullopt;
  }
  return product;
}

std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b) {
  if (a.size() < b.size()) return multiply(b, a);
  if (a.size() * b.size() > 4 * kMaxPolynomialTerms) return std::nullopt;
  Polynomial sum;
  for (const Term& term : b) {
    const auto part = multiply(a, term);
    if (!part) return std::nullopt;
    auto next = combine(1, sum, 1, *part);
    if (!next) return std::nullopt;
    sum = std::move(*next);
  }
  return sum;
}

std::optional<Polynomial> divide_exactly(const Polynomial& a, const Polynomial& b) {
  if (b.empty()) return std::nullopt;
  const Term& divisor = b.front();
  Polynomial rest = a;
  Polynomial quotient;
  while (!rest.empty()) {
    const Term& leading = rest.front();
    auto factors = divide(leading.factors, divisor.factors);
    if (!factors || leading.coefficient == INT64_MIN || leading.coefficient % divisor.coefficient != 0) {
      return std::nullopt;
    }
    quotient.push_back({leading.coefficient / divisor.coefficient, std::move(*factors)});
    if (quotient.size() > kMaxTerms) return std::nullopt;
    const auto part = multiply(b, quotient.back());
    if (!part) return std::nullopt;
    auto next = combine(1, rest, -1, *part);
    if (!next) return std::nullopt;
    rest = std::move(*next);
  }
  return quotient;
}

std::optional<Split> split(const Polynomial& p, const Atom* atom) {
  Split result;
  for (const Term& term : p) {
    const auto at = std::find_if(term.factors.begin(), term.factors.end(),
                                 [&](const Factor& f) { return f.atom == atom; });
    if (at == term.factors.end()) {
      result.rest.push_back(term);
      continue;
    }
    if (at->power != 1) return std::nullopt;
    result.factor.push_back({term.coefficient, *divide(term.factors, {*at})});
  }
  return result;
}

std::vector<const Atom*> direct_atoms(const Polynomial& p) {
  std::vector<const Atom*> atoms;
  for (const Term& term : p) {
    for (const Factor& f : term.factors) atoms.push_back(f.atom);
  }
  std::sort(atoms.begin(), atoms.end(), [](const Atom* a, const Atom* b) { return a->id < b->id; });
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  return atoms;
}

}  // namespace cameo::sym
