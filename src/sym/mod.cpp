// Remainders: a mod b = a - b*floor(a/b).
#include "sym/context.h"
#include "sym/integer.h"
#include "sym/knowledge.h"

namespace cameo::sym {

Expr mod(Expr a, Expr b) {
  const auto k = b.as_constant();
  if (k == std::int64_t{0}) throw DivisionByZero();
  if (k && a.is_constant()) return floor_mod(*a.as_constant(), *k);
  Context& context = *(a.is_constant() ? b : a).context();
  if (context.knowledge().divisible(a, b) == Truth::yes) return 0;
  return a - b * floordiv(a, b);
}

Expr truncmod(Expr a, Expr b) {
  const auto k = b.as_constant();
  if (k == std::int64_t{0}) throw DivisionByZero();
  if (k && a.is_constant()) return trunc_mod(*a.as_constant(), *k);
  return a - b * truncdiv(a, b);
}

std::optional<Remainder> as_remainder(Expr e) {
  for (const Term& term : e.terms()) {
    for (const Factor& f : term.factors) {
      if (f.atom->kind != Kind::floordiv) continue;
      const Expr dividend = f.atom->operands[0];
      const Expr divisor = f.atom->operands[1];
      if (e == dividend - divisor * as_expr(f.atom)) return Remainder{dividend, divisor};
    }
  }
  return std::nullopt;
}

}  // namespace cameo::sym
