// Floor division. The numerator over a constant k is kept with its constant term in [0, k) and every other
// coefficient in (-k/2, k/2], the leading one positive: what is over is taken out of the division.
#include <utility>

#include "base/checked.h"
#include "sym/context.h"
#include "sym/integer.h"
#include "sym/knowledge.h"
#include "sym/store.h"

namespace cameo::sym {

namespace {

Expr sum_of(Context& context, Polynomial p) { return *context.store().intern(std::move(p)); }

struct Reduced {
  Expr quotient;
  Expr remainder;
};

// a = k*quotient + remainder, coefficient by coefficient.
Reduced reduce(Context& context, Expr a, std::int64_t k) {
  Polynomial quotient;
  Polynomial remainder;
  for (const Term& term : a.terms()) {
    std::int64_t q = floor_div(term.coefficient, k);
    std::int64_t r = floor_mod(term.coefficient, k);
    if (!term.factors.empty() && r > k / 2) {
      ++q;
      r -= k;
    }
    if (q != 0) quotient.push_back({q, term.factors});
    if (r != 0) remainder.push_back({r, term.factors});
  }
  return {sum_of(context, std::move(quotient)), sum_of(context, std::move(remainder))};
}

// floor((g*a + c)/(g*k)) = floor((a + floor(c/g))/k)
std::pair<Expr, std::int64_t> without_common_divisor(Context& context, Expr n, std::int64_t k) {
  std::int64_t g = k;
  for (const Term& term : n.terms()) {
    if (!term.factors.empty()) g = common_divisor(g, term.coefficient);
  }
  if (g == 1) return {n, k};
  Polynomial p;
  for (const Term& term : n.terms()) {
    const std::int64_t c = floor_div(term.coefficient, g);
    if (c != 0) p.push_back({c, term.factors});
  }
  return {sum_of(context, std::move(p)), k / g};
}

bool leads_negative(Expr n, std::int64_t k) {
  for (const Term& term : n.terms()) {
    const bool is_half = k % 2 == 0 && term.coefficient == k / 2;
    if (!term.factors.empty() && !is_half) return term.coefficient < 0;
  }
  return false;
}

// floor((floor(n/m) + r)/d) = floor((n + m*r)/(m*d)) for d > 0, and -floor(n/m) = floor((m - 1 - n)/m) for
// m > 0. Only if there is no choice which floor to merge, so that the result does not depend on it.
std::optional<std::pair<Expr, Expr>> merged(Expr a, Expr d) {
  const Term* found = nullptr;
  for (const Term& term : a.terms()) {
    for (const Factor& f : term.factors) {
      if (f.atom->kind != Kind::floordiv) continue;
      if (found) return std::nullopt;
      found = &term;
    }
  }
  if (!found || found->factors.size() != 1 || found->factors.front().power != 1) return std::nullopt;
  const Atom& inner = *found->factors.front().atom;
  const std::int64_t sign = found->coefficient;
  const Expr m = inner.operands[1];
  if (m.is_constant() && *m.as_constant() < 1) return std::nullopt;
  if (m.is_constant() && d.is_constant() && !checked_mul(*m.as_constant(), *d.as_constant()))
    return std::nullopt;
  if (sign != 1 && (sign != -1 || !m.is_constant())) return std::nullopt;
  const Expr numerator = sign == 1 ? inner.operands[0] : m - 1 - inner.operands[0];
  const Expr rest = a - sign * as_expr(&inner);
  if (m.is_constant() && rest.is_constant() && !checked_mul(*m.as_constant(), *rest.as_constant())) {
    return std::nullopt;
  }
  return std::pair(numerator + m * rest, m * d);
}

Expr divide_by_constant(Context& context, Expr a, std::int64_t k) {
  Knowledge& knowledge = context.knowledge();
  const auto [quotient, remainder] = reduce(context, a, k);
  if (remainder.is_constant()) return quotient;
  const auto [n, d] = without_common_divisor(context, remainder, k);
  if (leads_negative(n, d)) return quotient - divide_by_constant(context, d - 1 - n, d);
  if (const auto simpler = merged(n, d)) return quotient + floordiv(simpler->first, simpler->second);

  const Range r = knowledge.range(n);
  if (r.lower && r.upper && floor_div(*r.lower, d) == floor_div(*r.upper, d)) {
    return quotient + floor_div(*r.lower, d);
  }
  if (const auto rest = knowledge.remainder(n, d); rest && *rest != 0)
    return quotient + floordiv(n - *rest, d);
  return quotient + context.store().atom(Kind::floordiv, {n, d});
}

// floor((c*m*q + r)/(c*m)) = q + floor(r/(c*m)) for terms of a monomial divisor c*m.
Reduced reduce(Context& context, Expr a, const Term& divisor) {
  Polynomial quotient;
  Polynomial remainder;
  for (const Term& term : a.terms()) {
    const auto factors = divide(term.factors, divisor.factors);
    const std::int64_t q = factors ? floor_div(term.coefficient, divisor.coefficient) : 0;
    const std::int64_t r = factors ? floor_mod(term.coefficient, divisor.coefficient) : term.coefficient;
    if (q != 0) quotient.push_back({q, *factors});
    if (r != 0) remainder.push_back({r, term.factors});
  }
  return {sum_of(context, std::move(quotient)), sum_of(context, std::move(remainder))};
}

// The common divisor of all terms of a and b.
Term common_term(Expr a, Expr b) {
  Term common = b.terms().front();
  const auto include = [&](Expr e) {
    for (const Term& term : e.terms()) {
      common.coefficient = common_divisor(common.coefficient, term.coefficient);
      common.factors = common_factor(common.factors, term.factors);
    }
    if (const auto value = e.as_constant()) common = {common_divisor(common.coefficient, *value), {}};
  };
  include(a);
  include(b);
  return common;
}

Expr divide_by_expression(Context& context, Expr a, Expr b) {
  Knowledge& knowledge = context.knowledge();
  Expr quotient = 0;
  Expr n = a;
  if (b.terms().size() == 1 && !a.is_constant()) {
    const Reduced reduced = reduce(context, a, b.terms().front());
    quotient = reduced.quotient;
    n = reduced.remainder;
    if (n == Expr(0)) return quotient;
  }
  const Term common = common_term(n, b);
  if (common.coefficient != 1 || !common.factors.empty()) {
    const Polynomial g{common};
    return quotient + floordiv(sum_of(context, *divide_exactly(polynomial_of(n), g)),
                               sum_of(context, *divide_exactly(polynomial_of(b), g)));
  }
  if (knowledge.at_least(b, 1)) {
    if (const auto simpler = merged(n, b)) return quotient + floordiv(simpler->first, simpler->second);
    if (knowledge.at_least(n, 0) && knowledge.at_least(b - n, 1)) return quotient;
    if (knowledge.at_least(-n, 1) && knowledge.at_least(b + n, 0)) return quotient - 1;
  }
  return quotient + context.store().atom(Kind::floordiv, {n, b});
}

}  // namespace

Expr floordiv(Expr a, Expr b) {
  const auto k = b.as_constant();
  if (k == std::int64_t{0}) throw DivisionByZero();
  if (k && a.is_constant()) return floor_div(*a.as_constant(), *k);
  if (a == Expr(0)) return 0;
  Context& context = *(k ? a : b).context();
  if (k == kLowest || a == Expr(kLowest)) return context.store().atom(Kind::floordiv, {a, b});
  if (const auto exact = divide_exactly(polynomial_of(a), polynomial_of(b))) {
    if (const auto q = context.store().intern(*exact)) return *q;
  }
  const bool is_negative = k ? *k < 0 : b.terms().front().coefficient < 0;
  if (is_negative) return floordiv(-a, -b);
  return k ? divide_by_constant(context, a, *k) : divide_by_expression(context, a, b);
}

Expr ceildiv(Expr a, Expr b) { return a == Expr(kLowest) ? -floordiv(a, -b) : -floordiv(-a, b); }

}  // namespace cameo::sym
