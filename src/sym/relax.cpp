// The search for lower bounds: p >= L follows from a simpler polynomial that p is never below.
#include <algorithm>
#include <cstdlib>

#include "sym/bounds.h"
#include "sym/integer.h"

namespace cameo::sym {

namespace {

std::optional<Polynomial> product_plus(const Polynomial& a, const Polynomial& b, const Polynomial& c) {
  const auto product = multiply(a, b);
  return product ? combine(1, *product, 1, c) : std::nullopt;
}

std::optional<std::int64_t> best(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  return a && b ? std::max(*a, *b) : a ? a : b;
}

}  // namespace

Bounds::Bound Bounds::lower(const Polynomial& p, int depth, Search& search) {
  Bound bound = quick_lower(p);
  if (depth == 0 || as_constant(p) || search.budget-- <= 0) return bound;
  std::vector<const Atom*> atoms = direct_atoms(p);
  std::ranges::reverse(atoms);
  for (const Atom* atom : atoms) {
    if (atom->kind != Kind::symbol) bound = best(bound, without_atom(p, *atom, depth - 1, search));
  }
  for (const Polynomial& fact : facts_) bound = best(bound, with_fact(p, fact, depth - 1, search));
  return bound;
}

Bounds::Bound Bounds::without_atom(const Polynomial& p, const Atom& atom, int depth, Search& search) {
  const auto s = split(p, &atom);
  if (!s) return std::nullopt;
  switch (atom.kind) {
    case Kind::floordiv: return without_floordiv(atom, *s, depth, search);
    case Kind::min:
    case Kind::max: return without_choice(atom, *s, depth, search);
    case Kind::whole: return without_whole(atom, *s, depth, search);
    case Kind::symbol:
    case Kind::truncdiv: break;
  }
  return std::nullopt;
}

// n - (d - 1) <= d*floor(n/d) <= n for d > 0, so
//   p*floor(n/d) + r  >=  L/d  where  p*n - (p > 0 ? p*(d - 1) : 0) + d*r  >=  L.
Bounds::Bound Bounds::without_floordiv(const Atom& atom, const Split& s, int depth, Search& search) {
  const Polynomial n = polynomial_of(atom.operands[0]);
  const Polynomial d = polynomial_of(atom.operands[1]);
  const Bound smallest_divisor = quick_lower(d);
  if (!smallest_divisor || *smallest_divisor < 1) return std::nullopt;

  const auto quotient = divide_exactly(s.factor, d);
  const Polynomial& factor = quotient ? *quotient : s.factor;
  const int direction = sign(factor);
  if (direction == 0) return std::nullopt;

  auto multiple = n;
  if (direction > 0) {
    const auto slack = combine(1, d, -1, constant_polynomial(1));
    const auto lowest = slack ? combine(1, n, -1, *slack) : std::nullopt;
    if (!lowest) return std::nullopt;
    multiple = *lowest;
  }
  const auto rest = quotient ? s.rest : multiply(d, s.rest);
  const auto relaxed = rest ? product_plus(factor, multiple, *rest) : std::nullopt;
  const Bound bound = relaxed ? lower(*relaxed, depth, search) : std::nullopt;
  if (!bound || quotient) return bound;
  if (const auto k = as_constant(d)) return ceil_div(*bound, *k);
  if (*bound >= 1) return 1;
  if (*bound > -*smallest_divisor) return 0;
  return std::nullopt;
}

// max is at least any operand and at most one of them; min is at most any and at least one of them.
Bounds::Bound Bounds::without_choice(const Atom& atom, const Split& s, int depth, Search& search) {
  const int direction = sign(s.factor);
  if (direction == 0) return std::nullopt;
  const bool any_operand_will_do = (atom.kind == Kind::max) == (direction > 0);
  Bound bound;
  for (std::size_t i = 0; i < atom.operands.size(); ++i) {
    const auto chosen = product_plus(s.factor, polynomial_of(atom.operands[i]), s.rest);
    const Bound next = chosen ? lower(*chosen, depth, search) : std::nullopt;
    if (any_operand_will_do) {
      bound = best(bound, next);
    } else {
      if (!next) return std::nullopt;
      bound = i == 0 ? *next : std::min(*bound, *next);
    }
  }
  return bound;
}

Bounds::Bound Bounds::without_whole(const Atom& atom, const Split& s, int depth, Search& search) {
  const auto expanded = product_plus(s.factor, polynomial_of(atom.operands[0]), s.rest);
  return expanded ? lower(*expanded, depth, search) : std::nullopt;
}

// With F >= 0 and a, b*m >= 0: a*p - b*m*F >= L gives p >= L/a. The multiple of F is chosen to cancel a term
// that keeps p from having a bound.
Bounds::Bound Bounds::with_fact(const Polynomial& p, const Polynomial& fact, int depth, Search& search) {
  Bound bound;
  for (const Term& term : p) {
    if (term.factors.empty() || !may_be_negative(term)) continue;
    for (const Term& other : fact) {
      if (search.budget <= 0) return bound;
      if (other.factors.empty() || (other.coefficient < 0) != (term.coefficient < 0)) continue;
      if (other.coefficient == kLowest || term.coefficient == kLowest) continue;
      const auto m = divide(term.factors, other.factors);
      if (!m || !never_negative(*m)) continue;
      const std::int64_t g = std::gcd(other.coefficient, term.coefficient);
      const std::int64_t a = std::abs(other.coefficient) / g;
      const auto multiple = multiply(fact, Term{std::abs(term.coefficient) / g, *m});
      const auto left = multiple ? combine(a, p, -1, *multiple) : std::nullopt;
      const Bound next = left ? lower(*left, depth, search) : std::nullopt;
      if (next) bound = best(bound, ceil_div(*next, a));
    }
  }
  return bound;
}

int Bounds::sign(const Polynomial& p) {
  if (const Bound bound = quick_lower(p); bound && *bound >= 0) return 1;
  const auto negative = combine(-1, p, 0, {});
  if (!negative) return 0;
  const Bound bound = quick_lower(*negative);
  return bound && *bound >= 0 ? -1 : 0;
}

bool Bounds::never_negative(const Monomial& m) {
  return std::ranges::all_of(m, [&](const Factor& f) {
    const Range r = range(f.atom);
    return r.lower && *r.lower >= 0;
  });
}

bool Bounds::may_be_negative(const Term& term) {
  return term.coefficient < 0 || !never_negative(term.factors);
}

}  // namespace cameo::sym
