// Division that rounds towards zero: floor division wherever the signs are known.
#include "sym/context.h"
#include "sym/integer.h"
#include "sym/knowledge.h"
#include "sym/store.h"

namespace cameo::sym {

namespace {

bool leads_negative(Expr e) {
  return e.is_constant() ? *e.as_constant() < 0 : e.terms().front().coefficient < 0;
}

}  // namespace

Expr truncdiv(Expr a, Expr b) {
  const auto k = b.as_constant();
  if (k == std::int64_t{0}) throw DivisionByZero();
  if (k && a.is_constant()) return trunc_div(*a.as_constant(), *k);
  if (a == Expr(0)) return 0;
  Context& context = *(k ? a : b).context();
  Knowledge& knowledge = context.knowledge();
  if (k == kLowest || a == Expr(kLowest)) return context.store().atom(Kind::truncdiv, {a, b});
  if (knowledge.divisible(a, b) == Truth::yes) return floordiv(a, b);
  if (leads_negative(b)) return truncdiv(-a, -b);
  if (knowledge.at_least(b, 1)) {
    if (knowledge.at_least(a, 0)) return floordiv(a, b);
    if (knowledge.at_least(-a, 0)) return -floordiv(-a, b);
  }
  if (leads_negative(a)) return -truncdiv(-a, b);
  return context.store().atom(Kind::truncdiv, {a, b});
}

}  // namespace cameo::sym
