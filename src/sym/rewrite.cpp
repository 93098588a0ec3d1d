#include "sym/rewrite.h"

#include <algorithm>

#include "sym/context.h"
#include "sym/store.h"

namespace cameo::sym {

Expr operate(Kind kind, std::span<const Expr> operands) {
  Expr result = operands[0];
  for (Expr operand : operands.subspan(1)) {
    switch (kind) {
      case Kind::floordiv: result = floordiv(result, operand); break;
      case Kind::truncdiv: result = truncdiv(result, operand); break;
      case Kind::min: result = min(result, operand); break;
      case Kind::max: result = max(result, operand); break;
      case Kind::symbol:
      case Kind::whole: break;
    }
  }
  return result;
}

Expr rebuild(Expr e, const std::unordered_map<const Atom*, Expr>& values) {
  const auto unchanged = [&](const Factor& f) { return values.at(f.atom) == as_expr(f.atom); };
  if (std::ranges::all_of(e.terms(),
                          [&](const Term& t) { return std::ranges::all_of(t.factors, unchanged); })) {
    return e;
  }
  Expr sum = 0;
  for (const Term& term : e.terms()) {
    Expr product = term.coefficient;
    for (const Factor& f : term.factors) product = product * pow(values.at(f.atom), f.power);
    sum = sum + product;
  }
  return sum;
}

Expr redo(const Atom& atom, const std::unordered_map<const Atom*, Expr>& values) {
  std::vector<Expr> operands;
  for (Expr operand : atom.operands) operands.push_back(rebuild(operand, values));
  if (atom.kind == Kind::whole && operands == atom.operands) return as_expr(&atom);
  const bool divides = atom.kind == Kind::floordiv || atom.kind == Kind::truncdiv;
  if (divides && operands[1] == Expr(0)) return atom.context->store().atom(atom.kind, std::move(operands));
  return operate(atom.kind, operands);
}

Expr substitute(Expr e, const std::unordered_map<Expr, Expr>& values) {
  std::unordered_map<const Atom*, Expr> done;
  for (const Atom* atom : atoms_below(e)) {
    const Expr self = as_expr(atom);
    const auto given = values.find(self);
    if (given != values.end()) {
      done[atom] = given->second;
    } else {
      done[atom] = atom->kind == Kind::symbol ? self : redo(*atom, done);
    }
  }
  return rebuild(e, done);
}

}  // namespace cameo::sym
