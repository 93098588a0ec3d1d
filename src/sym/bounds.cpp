#include "sym/bounds.h"

#include <algorithm>

#include "base/checked.h"
#include "sym/integer.h"

namespace cameo::sym {

namespace {

using Bound = std::optional<std::int64_t>;

Bound negated(Bound bound) { return bound ? checked_sub(std::int64_t{0}, *bound) : std::nullopt; }

Bound larger(Bound a, Bound b) { return a && b ? std::max(*a, *b) : a ? a : b; }
Bound smaller(Bound a, Bound b) { return a && b ? std::min(*a, *b) : a ? a : b; }

Range intersection(const Range& a, const Range& b) {
  return {larger(a.lower, b.lower), smaller(a.upper, b.upper)};
}

// Of floor(n/d), with d positive.
Range floor_quotient(const Range& n, const Range& d) {
  if (!d.lower || *d.lower < 1) return {};
  Range q;
  if (n.lower && *n.lower < 0) q.lower = floor_div(*n.lower, *d.lower);
  if (n.lower && *n.lower >= 0) q.lower = d.upper ? floor_div(*n.lower, *d.upper) : 0;
  if (n.upper && *n.upper >= 0) q.upper = floor_div(*n.upper, *d.lower);
  if (n.upper && *n.upper < 0) q.upper = d.upper ? floor_div(*n.upper, *d.upper) : -1;
  return q;
}

// The range of n/d rounded towards zero: no larger than n, for any d.
Range trunc_quotient(const Range& n) {
  const Bound below = negated(n.lower);
  if (!below || !n.upper) return {};
  const std::int64_t size = std::max({*below, *n.upper, std::int64_t{0}});
  return {-size, size};
}

// p with atom replaced by start + direction*atom.
std::optional<Polynomial> shifted(const Polynomial& p, const Atom* atom, std::int64_t start, int direction) {
  auto replacement = combine(direction, polynomial_of(atom), 1, constant_polynomial(start));
  Polynomial sum;
  for (const Term& term : p) {
    Monomial others;
    std::int32_t power = 0;
    for (const Factor& f : term.factors) {
      if (f.atom == atom) {
        power = f.power;
      } else {
        others.push_back(f);
      }
    }
    std::optional<Polynomial> part = Polynomial{Term{term.coefficient, std::move(others)}};
    for (; part && power > 0; --power) part = multiply(*part, *replacement);
    if (!part) return std::nullopt;
    auto next = combine(1, sum, 1, *part);
    if (!next) return std::nullopt;
    sum = std::move(*next);
  }
  return sum;
}

}  // namespace

void Bounds::reset(std::vector<Polynomial> facts) {
  facts_ = std::move(facts);
  known_.clear();
  atoms_.clear();
  expressions_.clear();
  for (const Polynomial& fact : facts_) {
    const Term& leading = fact.front();
    const bool about_one_atom = leading.factors.size() == 1 && leading.factors.front().power == 1 &&
                                (fact.size() == 1 || (fact.size() == 2 && fact[1].factors.empty()));
    if (!about_one_atom) continue;
    const Bound offset = negated(fact.size() == 2 ? fact[1].coefficient : 0);
    if (!offset || leading.coefficient == kLowest) continue;
    Range range;
    if (leading.coefficient > 0) range.lower = ceil_div(*offset, leading.coefficient);
    if (leading.coefficient < 0 && *offset != kLowest)
      range.upper = floor_div(-*offset, -leading.coefficient);
    Range& known = known_[leading.factors.front().atom];
    known = intersection(known, range);
  }
}

Range Bounds::range(Expr e) {
  if (const auto value = e.as_constant()) return {value, value};
  if (const auto cached = expressions_.find(e); cached != expressions_.end()) return cached->second;
  constexpr int kDepth = 5;
  constexpr int kBudget = 48;
  const Polynomial p = polynomial_of(e);
  Search below{kBudget};
  Search above{kBudget};
  Range range;
  range.lower = lower(p, kDepth, below);
  if (const auto negative = combine(-1, p, 0, {})) range.upper = negated(lower(*negative, kDepth, above));
  return expressions_[e] = range;
}

Range Bounds::range(const Atom* atom) {
  if (const auto cached = atoms_.find(atom); cached != atoms_.end()) return cached->second;
  const auto is_done = [&](const Atom* part) { return atoms_.contains(part); };
  for (const Atom* part : atoms_below(as_expr(atom), is_done)) {
    const Range own = range_of_operation(*part);
    const auto known = known_.find(part);
    atoms_[part] = known == known_.end() ? own : intersection(own, known->second);
  }
  return atoms_[atom];
}

Range Bounds::range_of_operation(const Atom& atom) {
  switch (atom.kind) {
    case Kind::symbol: return atom.symbol->range;
    case Kind::whole: return quick_range(atom.operands[0]);
    case Kind::floordiv: return floor_quotient(quick_range(atom.operands[0]), quick_range(atom.operands[1]));
    case Kind::truncdiv: return trunc_quotient(quick_range(atom.operands[0]));
    case Kind::min:
    case Kind::max: break;
  }
  Range all = quick_range(atom.operands[0]);
  for (std::size_t i = 1; i < atom.operands.size(); ++i) {
    const Range next = quick_range(atom.operands[i]);
    if (atom.kind == Kind::min) {
      all = {all.lower && next.lower ? smaller(all.lower, next.lower) : std::nullopt,
             smaller(all.upper, next.upper)};
    } else {
      all = {larger(all.lower, next.lower),
             all.upper && next.upper ? larger(all.upper, next.upper) : std::nullopt};
    }
  }
  if (atom.operands.size() == 2) all = intersection(all, range_beside_mean(atom));
  return all;
}

// min(a, b) <= (a + b)/2 <= max(a, b)
Range Bounds::range_beside_mean(const Atom& atom) {
  const auto sum = combine(1, polynomial_of(atom.operands[0]), 1, polynomial_of(atom.operands[1]));
  if (!sum) return {};
  if (atom.kind == Kind::max) {
    const Bound lower = quick_lower(*sum);
    return {lower ? Bound(ceil_div(*lower, 2)) : std::nullopt, std::nullopt};
  }
  const auto negative = combine(-1, *sum, 0, {});
  const Bound upper = negative ? negated(quick_lower(*negative)) : std::nullopt;
  return {std::nullopt, upper ? Bound(floor_div(*upper, 2)) : std::nullopt};
}

Range Bounds::quick_range(Expr e) {
  if (const auto value = e.as_constant()) return {value, value};
  const Polynomial p = polynomial_of(e);
  Range range;
  range.lower = quick_lower(p);
  if (const auto negative = combine(-1, p, 0, {})) range.upper = negated(quick_lower(*negative));
  return range;
}

Bounds::Bound Bounds::quick_lower(const Polynomial& p) {
  Polynomial from_zero = p;
  for (const Atom* atom : direct_atoms(p)) {
    const Range r = range(atom);
    if (!r.lower && !r.upper) return std::nullopt;
    if (r.lower == std::int64_t{0}) continue;
    auto next = r.lower ? shifted(from_zero, atom, *r.lower, 1) : shifted(from_zero, atom, *r.upper, -1);
    if (!next) return std::nullopt;
    from_zero = std::move(*next);
  }
  std::int64_t sum = 0;
  for (const Term& term : from_zero) {
    if (term.coefficient > 0 && !term.factors.empty()) continue;
    Bound part = term.coefficient;
    for (const Factor& f : term.factors) {
      const Range r = range(f.atom);
      const Bound width = r.lower && r.upper ? checked_sub(*r.upper, *r.lower) : std::nullopt;
      if (!width) return std::nullopt;
      for (int i = 0; part && i < f.power; ++i) part = checked_mul(*part, *width);
    }
    const Bound next = part ? checked_add(sum, *part) : std::nullopt;
    if (!next) return std::nullopt;
    sum = *next;
  }
  return sum;
}

}  // namespace cameo::sym
