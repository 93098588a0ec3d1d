#include "sym/knowledge.h"

#include <algorithm>

#include "sym/integer.h"
#include "sym/rewrite.h"

namespace cameo::sym {

void Knowledge::push() {
  marks_.push_back({facts_.size(), differences_.size(), substitutions_.size(), divisibilities_.size()});
}

void Knowledge::pop() {
  const Mark mark = marks_.back();
  marks_.pop_back();
  const bool had_more = facts_.size() > mark.facts || differences_.size() > mark.differences ||
                        substitutions_.size() > mark.substitutions ||
                        divisibilities_.size() > mark.divisibilities;
  if (!had_more) return;
  facts_.resize(mark.facts);
  differences_.resize(mark.differences);
  substitutions_.resize(mark.substitutions);
  divisibilities_.resize(mark.divisibilities);
  changed();
}

void Knowledge::refresh() {
  if (!is_stale_) return;
  is_stale_ = false;
  simplified_.clear();
  bounds_.reset({});
  std::vector<Polynomial> active;
  for (Expr fact : facts_) {
    const Expr now = simplify(fact);
    if (!now.is_constant()) active.push_back(polynomial_of(now));
  }
  simplified_.clear();
  bounds_.reset(std::move(active));
}

Range Knowledge::range(Expr e) {
  refresh();
  return bounds_.range(e);
}

bool Knowledge::at_least(Expr e, std::int64_t value) {
  const Range r = range(e);
  return r.lower && *r.lower >= value;
}

Expr Knowledge::simplify(Expr e) {
  refresh();
  if (facts_.empty() && substitutions_.empty() && divisibilities_.empty()) return e;
  const auto is_done = [&](const Atom* atom) { return simplified_.contains(atom); };
  for (const Atom* atom : atoms_below(e, is_done)) simplified_[atom] = simplified(atom);
  return cancel_exact_divisions(rebuild(e, simplified_));
}

Expr Knowledge::simplified(const Atom* atom) {
  const auto at = std::ranges::find(substitutions_, atom, &Substitution::symbol);
  if (at != substitutions_.end()) return simplify(at->value);
  if (atom->kind != Kind::symbol) return redo(*atom, simplified_);
  const Range r = range(as_expr(atom));
  return r.lower && r.lower == r.upper ? Expr(*r.lower) : as_expr(atom);
}

// b*floor(a/b) = a if b divides a.
Expr Knowledge::cancel_exact_divisions(Expr e) {
  if (divisibilities_.empty()) return e;
  Expr result = e;
  for (const Term& term : e.terms()) {
    for (const Factor& f : term.factors) {
      if (f.atom->kind != Kind::floordiv || f.power != 1) continue;
      const Expr a = f.atom->operands[0];
      const Expr b = f.atom->operands[1];
      const Term others{term.coefficient, *divide(term.factors, {f})};
      const auto times = sym::divide_exactly(Polynomial{others}, polynomial_of(b));
      if (!times || divisible(a, b) != Truth::yes) continue;
      Expr factor = times->front().coefficient;
      for (const Factor& other : times->front().factors)
        factor = factor * pow(as_expr(other.atom), other.power);
      result = result + factor * (a - b * as_expr(f.atom));
      break;
    }
  }
  return result;
}

}  // namespace cameo::sym
