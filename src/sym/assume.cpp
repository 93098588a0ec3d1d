// Converts assumptions to the form that queries use.
#include <algorithm>

#include "base/checked.h"
#include "sym/compare.h"
#include "sym/integer.h"
#include "sym/knowledge.h"
#include "sym/store.h"

namespace cameo::sym {

bool Knowledge::assume(const Condition& condition) {
  const Truth truth = decide(condition);
  if (truth != Truth::unknown) return truth == Truth::yes;
  const Expr difference = simplify(condition.right - condition.left);
  switch (condition.relation) {
    case Relation::equal: add_zero(difference); break;
    case Relation::not_equal: add_difference(difference); break;
    case Relation::less: add_fact(difference - 1); break;
    case Relation::less_equal: add_fact(difference); break;
  }
  return true;
}

void Knowledge::add_zero(Expr zero) {
  if (solve(zero)) return;
  add_fact(zero);
  add_fact(-zero);
}

// x + rest = 0 for a symbol x that the rest does not speak of: x is -rest from now on. The newest symbol
// goes.
bool Knowledge::solve(Expr zero) {
  if (substitutions_.size() >= kMaxFacts) return false;
  const Atom* solved = nullptr;
  Expr value;
  for (const Term& term : zero.terms()) {
    const bool is_alone = term.factors.size() == 1 && term.factors.front().power == 1;
    if (!is_alone || (term.coefficient != 1 && term.coefficient != -1)) continue;
    const Atom* atom = term.factors.front().atom;
    if (atom->kind != Kind::symbol || (solved && solved->id > atom->id)) continue;
    const Expr x = as_expr(atom);
    const Expr rest = term.coefficient == 1 ? x - zero : x + zero;
    if (std::ranges::binary_search(atoms_below(rest), atom->id, {}, &Atom::id)) continue;
    solved = atom;
    value = rest;
  }
  if (!solved) return false;
  if (!value.is_constant()) {
    const Range& range = solved->symbol->range;
    if (range.lower) add_fact(value - *range.lower);
    if (range.upper) add_fact(*range.upper - value);
  }
  substitutions_.push_back({solved, value});
  changed();
  return true;
}

void Knowledge::add_difference(Expr not_zero) {
  const Range r = range(not_zero);
  if (r.lower == std::int64_t{0}) add_fact(not_zero - 1);
  if (r.upper == std::int64_t{0}) add_fact(-not_zero - 1);
  if (differences_.size() >= kMaxFacts) return;
  differences_.push_back(primitive(not_zero));
  changed();
}

namespace {

// floor(n/k) + r >= 0  is  n + k*r >= 0;  r - floor(n/k) >= 0  is  k*r + k - 1 - n >= 0;  for k > 0.
std::optional<Expr> without_floor(Expr fact) {
  const Polynomial p = polynomial_of(fact);
  for (const Atom* atom : direct_atoms(p)) {
    if (atom->kind != Kind::floordiv) continue;
    const auto k = atom->operands[1].as_constant();
    const auto s = split(p, atom);
    const auto sign = s ? as_constant(s->factor) : std::nullopt;
    if (!k || *k <= 0 || !sign || (*sign != 1 && *sign != -1)) continue;
    auto scaled = combine(*k, s->rest, *sign, polynomial_of(atom->operands[0]));
    if (scaled && *sign == -1) scaled = combine(1, *scaled, 1, constant_polynomial(*k - 1));
    if (scaled) return atom->context->store().intern(std::move(*scaled));
  }
  return std::nullopt;
}

// The facts that min(a, b) + r >= 0 or r - max(a, b) >= 0 consists of.
std::vector<Expr> without_choice(Expr fact) {
  const Polynomial p = polynomial_of(fact);
  for (const Atom* atom : direct_atoms(p)) {
    const auto s = split(p, atom);
    const auto sign = s ? as_constant(s->factor) : std::nullopt;
    const bool splits =
        sign && ((atom->kind == Kind::min && *sign == 1) || (atom->kind == Kind::max && *sign == -1));
    if (!splits) continue;
    const Expr rest = *sign == 1 ? fact - as_expr(atom) : fact + as_expr(atom);
    std::vector<Expr> parts;
    for (Expr operand : atom->operands) parts.push_back(*sign == 1 ? rest + operand : rest - operand);
    return parts;
  }
  return {};
}

}  // namespace

void Knowledge::add_fact(Expr not_negative) {
  std::vector<Expr> open{not_negative};
  for (int steps = 0; !open.empty() && steps < 32; ++steps) {
    Expr fact = tightened(open.back());
    open.pop_back();
    if (fact.is_constant() || facts_.size() >= kMaxFacts) continue;
    if (const auto simpler = without_floor(fact)) {
      open.push_back(*simpler);
    } else if (const auto parts = without_choice(fact); !parts.empty()) {
      open.insert(open.end(), parts.begin(), parts.end());
    } else {
      if (std::ranges::find(differences_, primitive(fact)) != differences_.end()) fact = fact - 1;
      facts_.push_back(fact);
      changed();
    }
  }
}

}  // namespace cameo::sym
