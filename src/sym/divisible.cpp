// Which numbers divide which: by coefficients, or by what was assumed.
#include "sym/integer.h"
#include "sym/knowledge.h"

namespace cameo::sym {

void Knowledge::assume_divisible(Expr a, Expr b) {
  if (divisibilities_.size() >= kMaxFacts || a.is_constant()) return;
  divisibilities_.push_back({a, b});
  changed();
}

Truth Knowledge::divisible(Expr a, Expr b) {
  refresh();
  if (a == Expr(0) || b == Expr(1) || b == Expr(-1)) return Truth::yes;
  if (b == Expr(0)) return is_zero(a);
  const Polynomial dividend = polynomial_of(a);
  const Polynomial divisor = polynomial_of(b);
  if (sym::divide_exactly(dividend, divisor)) return Truth::yes;
  if (divisible_by_facts(dividend, divisor, 4)) return Truth::yes;
  const auto k = b.as_constant();
  if (!k) return Truth::unknown;
  if (const auto value = a.as_constant()) return trunc_mod(*value, *k) == 0 ? Truth::yes : Truth::no;
  for (const Term& term : a.terms()) {
    const bool divides = trunc_mod(term.coefficient, *k) == 0;
    if (term.factors.empty()) return divides ? Truth::yes : Truth::no;
    if (!divides) break;
  }
  return Truth::unknown;
}

// With m | f: b | a  if  b | c*m  and  b | a - c*f. The multiple c is chosen to cancel a term of a.
bool Knowledge::divisible_by_facts(const Polynomial& a, const Polynomial& b, int depth) {
  if (sym::divide_exactly(a, b)) return true;
  if (depth == 0) return false;
  for (const Divisibility& known : divisibilities_) {
    const Polynomial f = polynomial_of(known.dividend);
    const Term& leading = f.front();
    for (const Term& term : a) {
      const auto factors = divide(term.factors, leading.factors);
      if (!factors || term.coefficient == kLowest || term.coefficient % leading.coefficient != 0) continue;
      const Term c{term.coefficient / leading.coefficient, *factors};
      const auto multiple = multiply(polynomial_of(known.divisor), c);
      if (!multiple || !sym::divide_exactly(*multiple, b)) continue;
      const auto product = multiply(f, c);
      const auto rest = product ? combine(1, a, -1, *product) : std::nullopt;
      if (rest && divisible_by_facts(*rest, b, depth - 1)) return true;
    }
  }
  return false;
}

}  // namespace cameo::sym
