// Sums, products and powers: polynomial arithmetic, and what happens beyond its limits.
#include "sym/context.h"
#include "sym/integer.h"
#include "sym/store.h"

namespace cameo::sym {

namespace {

Store& store_of(Expr a, Expr b) { return (a.is_constant() ? b : a).context()->store(); }

std::optional<Expr> intern(Store& store, std::optional<Polynomial> p) {
  return p ? store.intern(std::move(*p)) : std::nullopt;
}

// Applies an operation of polynomials; where its result is beyond the limits, to operands kept whole.
template <typename Operation>
Expr within_limits(Expr a, Expr b, Operation operation) {
  Store& store = store_of(a, b);
  const auto attempt = [&](Expr x, Expr y) {
    return intern(store, operation(polynomial_of(x), polynomial_of(y)));
  };
  if (const auto result = attempt(a, b)) return *result;
  const bool first_is_larger = !a.is_constant() && (b.is_constant() || a.terms().size() >= b.terms().size());
  const auto result = first_is_larger ? attempt(store.whole(a), b) : attempt(a, store.whole(b));
  return result ? *result : *attempt(store.whole(a), store.whole(b));
}

}  // namespace

Expr operator+(Expr a, Expr b) {
  if (a.is_constant() && b.is_constant()) return wrapping_add(*a.as_constant(), *b.as_constant());
  if (a == Expr(0)) return b;
  if (b == Expr(0)) return a;
  return within_limits(a, b, [](const Polynomial& x, const Polynomial& y) { return combine(1, x, 1, y); });
}

Expr operator-(Expr a, Expr b) {
  if (a.is_constant() && b.is_constant()) return wrapping_sub(*a.as_constant(), *b.as_constant());
  if (b == Expr(0)) return a;
  if (b == Expr(kLowest)) return a - (kLowest + 1) + 1;  // -b is not an int64
  return within_limits(a, b, [](const Polynomial& x, const Polynomial& y) { return combine(1, x, -1, y); });
}

Expr operator-(Expr a) { return Expr(0) - a; }

Expr operator*(Expr a, Expr b) {
  if (a.is_constant() && b.is_constant()) return wrapping_mul(*a.as_constant(), *b.as_constant());
  if (a == Expr(0) || b == Expr(0)) return 0;
  return within_limits(a, b, [](const Polynomial& x, const Polynomial& y) { return multiply(x, y); });
}

Expr pow(Expr base, std::int64_t exponent) {
  if (exponent < 0) throw std::domain_error("negative exponent of an integer");
  Expr result = 1;
  for (Expr square = base; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = result * square;
    if (exponent > 1) square = square * square;
  }
  return result;
}

}  // namespace cameo::sym
