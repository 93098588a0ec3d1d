#include "sym/solve.h"

#include <algorithm>

#include "sym/context.h"
#include "sym/polynomial.h"
#include "sym/store.h"

namespace cameo::sym {

namespace {

bool speaks_of(Expr e, const Atom* atom) {
  return std::ranges::binary_search(atoms_below(e), atom->id, {}, &Atom::id);
}

}  // namespace

std::optional<Expr> solve(Expr formula, Expr symbol, Expr value) {
  if (formula.is_constant()) return std::nullopt;
  const Atom* atom = symbol.as_atom();
  const auto s = split(polynomial_of(formula), atom);
  if (!s || s->factor.empty()) return std::nullopt;
  Store& store = symbol.context()->store();
  const auto factor = store.intern(s->factor);
  const auto rest = store.intern(s->rest);
  if (!factor || !rest || speaks_of(*factor, atom) || speaks_of(*rest, atom)) return std::nullopt;
  if (factor->is_constant()) return floordiv(value - *rest, *factor);
  const bool is_negative = factor->terms().front().coefficient < 0;
  return is_negative ? floordiv(*rest - value, max(-*factor, 1)) : floordiv(value - *rest, max(*factor, 1));
}

}  // namespace cameo::sym
