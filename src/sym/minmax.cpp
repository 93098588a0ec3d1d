// min and max: flattened, without operands that another one beats, and with what all operands share taken
// out:
//   min(a + c, b + c) = min(a, b) + c,  min(g*a, g*b) = g*min(a, b) for g > 0.
#include <algorithm>

#include "base/checked.h"
#include "sym/context.h"
#include "sym/integer.h"
#include "sym/knowledge.h"
#include "sym/store.h"

namespace cameo::sym {

namespace {

// min(a, b) + c is min(a + c, b + c): the operands of a nested one, or e itself.
std::vector<Expr> flattened(Kind kind, Expr e) {
  if (e.is_constant()) return {e};
  const std::int64_t c = e.constant_term();
  const Atom* atom = (e - c).as_atom();
  if (!atom || atom->kind != kind) return {e};
  std::vector<Expr> operands;
  for (Expr operand : atom->operands) {
    if (operand.is_constant() && !checked_add(*operand.as_constant(), c)) return {e};
    operands.push_back(operand + c);
  }
  return operands;
}

bool precedes(Expr a, Expr b) {
  const Polynomial p = polynomial_of(a);
  const Polynomial q = polynomial_of(b);
  return std::ranges::lexicographical_compare(p, q, [](const Term& s, const Term& t) {
    const auto order = compare(s.factors, t.factors);
    return std::is_eq(order) ? s.coefficient < t.coefficient : std::is_lt(order);
  });
}

bool subtract_from_all(std::vector<Expr>& operands, std::int64_t c) {
  for (Expr e : operands) {
    if (e.is_constant() && !checked_sub(*e.as_constant(), c)) return false;
  }
  for (Expr& e : operands) e = e - c;
  return true;
}

std::int64_t common_divisor_of_all(const std::vector<Expr>& operands) {
  std::int64_t g = 0;
  for (Expr e : operands) {
    if (const auto value = e.as_constant()) g = common_divisor(g, *value);
    for (const Term& term : e.terms()) g = common_divisor(g, term.coefficient);
  }
  return g;
}

Expr choose(Kind kind, Expr a, Expr b) {
  if (a == b) return a;
  if (a.is_constant() && b.is_constant()) {
    const auto [low, high] = std::minmax({*a.as_constant(), *b.as_constant()});
    return kind == Kind::min ? low : high;
  }
  Context& context = *(a.is_constant() ? b : a).context();
  std::vector<Expr> candidates = flattened(kind, a);
  std::ranges::copy(flattened(kind, b), std::back_inserter(candidates));
  if (candidates.size() > kMaxOperands) candidates = {a, b};

  const auto beats = [&](Expr x, Expr y) {
    const Condition c{Relation::less_equal, kind == Kind::min ? x : y, kind == Kind::min ? y : x};
    return context.knowledge().decide(c) == Truth::yes;
  };
  std::vector<Expr> operands;
  for (Expr candidate : candidates) {
    if (std::ranges::any_of(operands, [&](Expr kept) { return beats(kept, candidate); })) continue;
    std::erase_if(operands, [&](Expr kept) { return beats(candidate, kept); });
    operands.push_back(candidate);
  }
  if (operands.size() == 1) return operands.front();

  std::int64_t shift = std::ranges::min(operands, {}, &Expr::constant_term).constant_term();
  if (!subtract_from_all(operands, shift)) shift = 0;
  const std::int64_t scale = common_divisor_of_all(operands);
  if (scale > 1) {
    for (Expr& e : operands) e = floordiv(e, scale);
  }
  std::ranges::sort(operands, precedes);
  return context.store().atom(kind, std::move(operands)) * scale + shift;
}

}  // namespace

Expr min(Expr a, Expr b) { return choose(Kind::min, a, b); }
Expr max(Expr a, Expr b) { return choose(Kind::max, a, b); }
Expr abs(Expr a) {
  if (const auto value = a.as_constant()) return *value < 0 ? -a : a;
  return max(a, -a);
}

}  // namespace cameo::sym
