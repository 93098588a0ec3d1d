#include <algorithm>

#include "base/checked.h"
#include "sym/expr.h"
#include "sym/integer.h"

namespace cameo::sym {

namespace {

using Value = std::optional<std::int64_t>;
using Values = std::unordered_map<const Atom*, std::int64_t>;

Value sum(Expr e, const Values& atoms) {
  if (const auto value = e.as_constant()) return value;
  Value total = 0;
  for (const Term& term : e.terms()) {
    Value product = term.coefficient;
    for (const Factor& f : term.factors) {
      for (int i = 0; product && i < f.power; ++i) product = checked_mul(*product, atoms.at(f.atom));
    }
    if (!product) return std::nullopt;
    total = checked_add(*total, *product);
    if (!total) return std::nullopt;
  }
  return total;
}

Value operation(const Atom& atom, const Values& atoms) {
  Value result = sum(atom.operands[0], atoms);
  for (std::size_t i = 1; result && i < atom.operands.size(); ++i) {
    const Value operand = sum(atom.operands[i], atoms);
    if (!operand) return std::nullopt;
    const bool divides = atom.kind == Kind::floordiv || atom.kind == Kind::truncdiv;
    if (divides && (*operand == 0 || (*operand == -1 && *result == kLowest))) return std::nullopt;
    switch (atom.kind) {
      case Kind::floordiv: result = floor_div(*result, *operand); break;
      case Kind::truncdiv: result = trunc_div(*result, *operand); break;
      case Kind::min: result = std::min(*result, *operand); break;
      case Kind::max: result = std::max(*result, *operand); break;
      case Kind::symbol:
      case Kind::whole: break;
    }
  }
  return result;
}

}  // namespace

std::optional<std::int64_t> evaluate(Expr e, const std::unordered_map<Expr, std::int64_t>& symbols) {
  Values atoms;
  for (const Atom* atom : atoms_below(e)) {
    Value value;
    if (atom->kind != Kind::symbol) {
      value = operation(*atom, atoms);
    } else if (const auto given = symbols.find(as_expr(atom)); given != symbols.end()) {
      value = given->second;
    }
    if (!value) return std::nullopt;
    atoms[atom] = *value;
  }
  return sum(e, atoms);
}

}  // namespace cameo::sym
