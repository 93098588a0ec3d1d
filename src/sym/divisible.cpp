// Which numbers divide which: by coefficients, or by what was assumed.
#include <algorithm>
#include <cstdlib>

#include "sym/integer.h"
#include "sym/knowledge.h"

namespace cameo::sym {

namespace {

constexpr int kMaxReductions = 4;

}  // namespace

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
  if (divisible_by_facts(dividend, divisor, kMaxReductions)) return Truth::yes;
  const auto k = b.as_constant();
  if (!k) return Truth::unknown;
  if (const auto value = a.as_constant()) return trunc_mod(*value, *k) == 0 ? Truth::yes : Truth::no;
  const auto rest = *k == kLowest ? std::nullopt : remainder(a, std::abs(*k));
  if (rest) return *rest == 0 ? Truth::yes : Truth::no;
  return Truth::unknown;
}

// With m | f: a and a - c*f have the same remainder by b if b | c*m. The multiple c is chosen to cancel a term of
// a.
std::vector<Polynomial> Knowledge::equivalents(const Polynomial& a, const Polynomial& b) {
  std::vector<Polynomial> out;
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
      if (const auto rest = product ? combine(1, a, -1, *product) : std::nullopt) out.push_back(*rest);
    }
  }
  return out;
}

bool Knowledge::divisible_by_facts(const Polynomial& a, const Polynomial& b, int depth) {
  if (sym::divide_exactly(a, b)) return true;
  return depth > 0 && std::ranges::any_of(equivalents(a, b), [&](const Polynomial& other) {
           return divisible_by_facts(other, b, depth - 1);
         });
}

std::optional<std::int64_t> Knowledge::remainder(Expr a, std::int64_t k) {
  return remainder(polynomial_of(a), k, kMaxReductions);
}

std::optional<std::int64_t> Knowledge::remainder(const Polynomial& a, std::int64_t k, int depth) {
  const bool is_multiple = std::ranges::all_of(
      a, [&](const Term& term) { return term.factors.empty() || term.coefficient % k == 0; });
  if (is_multiple) return a.empty() || !a.back().factors.empty() ? 0 : floor_mod(a.back().coefficient, k);
  if (depth == 0) return std::nullopt;
  for (const Polynomial& other : equivalents(a, constant_polynomial(k)))
    if (const auto found = remainder(other, k, depth - 1)) return found;
  return std::nullopt;
}

}  // namespace cameo::sym
