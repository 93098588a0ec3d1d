// Comparisons, all of them of a difference with zero.
#include "sym/compare.h"

#include <algorithm>

#include "sym/integer.h"
#include "sym/knowledge.h"
#include "sym/store.h"

namespace cameo::sym {

namespace {

// The common divisor of all coefficients but the constant term's.
std::int64_t content(Expr e) {
  std::int64_t g = 0;
  for (const Term& term : e.terms()) {
    if (!term.factors.empty()) g = common_divisor(g, term.coefficient);
  }
  return g;
}

Expr divided(Expr e, std::int64_t g, std::int64_t constant) {
  Polynomial p;
  for (const Term& term : e.terms()) {
    if (!term.factors.empty()) p.push_back({term.coefficient / g, term.factors});
  }
  if (constant != 0) p.push_back({constant, {}});
  return *e.context()->store().intern(std::move(p));
}

}  // namespace

Expr tightened(Expr e) {
  const std::int64_t g = content(e);
  return g <= 1 ? e : divided(e, g, floor_div(e.constant_term(), g));
}

Expr primitive(Expr e) {
  if (e.is_constant()) return e;
  const std::int64_t g = common_divisor(content(e), e.constant_term());
  const Expr reduced = g <= 1 ? e : divided(e, g, e.constant_term() / g);
  return reduced.terms().front().coefficient < 0 ? -reduced : reduced;
}

Truth Knowledge::decide(const Condition& condition) {
  const Expr a = condition.left;
  const Expr b = condition.right;
  switch (condition.relation) {
    case Relation::equal: return a == b ? Truth::yes : is_zero(simplify(b - a));
    case Relation::not_equal: return !decide({Relation::equal, a, b});
    case Relation::less: return !decide({Relation::less_equal, b, a});
    case Relation::less_equal: break;
  }
  if (a.is_constant() && b.is_constant())
    return *a.as_constant() <= *b.as_constant() ? Truth::yes : Truth::no;
  const Range r = range(tightened(simplify(b - a)));
  if (r.lower && *r.lower >= 0) return Truth::yes;
  if (r.upper && *r.upper < 0) return Truth::no;
  return Truth::unknown;
}

Truth Knowledge::is_zero(Expr difference) {
  if (const auto value = difference.as_constant()) return *value == 0 ? Truth::yes : Truth::no;
  const std::int64_t g = content(difference);
  if (g > 1 && difference.constant_term() % g != 0) return Truth::no;
  if (std::ranges::find(differences_, primitive(difference)) != differences_.end()) return Truth::no;
  const Range r = range(primitive(difference));
  if ((r.lower && *r.lower > 0) || (r.upper && *r.upper < 0)) return Truth::no;
  if (r.lower == std::int64_t{0} && r.upper == std::int64_t{0}) return Truth::yes;
  return Truth::unknown;
}

}  // namespace cameo::sym
