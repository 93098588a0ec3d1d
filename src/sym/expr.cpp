#include "sym/expr.h"

#include <algorithm>
#include <unordered_set>

#include "sym/context.h"
#include "sym/store.h"

namespace cameo::sym {

std::span<const Term> Expr::terms() const {
  return sum_ ? std::span<const Term>(sum_->terms) : std::span<const Term>();
}

Context* Expr::context() const { return sum_ ? sum_->context : nullptr; }

std::int64_t Expr::constant_term() const {
  if (!sum_) return constant_;
  return sum_->terms.back().factors.empty() ? sum_->terms.back().coefficient : 0;
}

const Atom* Expr::as_atom() const {
  if (!sum_ || sum_->terms.size() != 1) return nullptr;
  const Term& term = sum_->terms.front();
  const bool alone = term.coefficient == 1 && term.factors.size() == 1 && term.factors.front().power == 1;
  return alone ? term.factors.front().atom : nullptr;
}

Expr as_expr(const Atom* atom) { return atom->context->store().intern(atom); }

std::vector<const Atom*> atoms_below(Expr e) {
  return atoms_below(e, [](const Atom*) { return false; });
}

std::vector<const Atom*> atoms_below(Expr e, const std::function<bool(const Atom*)>& is_done) {
  std::vector<Expr> open{e};
  std::unordered_set<const Atom*> seen;
  std::vector<const Atom*> atoms;
  while (!open.empty()) {
    const Expr next = open.back();
    open.pop_back();
    for (const Term& term : next.terms()) {
      for (const Factor& f : term.factors) {
        if (is_done(f.atom) || !seen.insert(f.atom).second) continue;
        atoms.push_back(f.atom);
        open.insert(open.end(), f.atom->operands.begin(), f.atom->operands.end());
      }
    }
  }
  std::sort(atoms.begin(), atoms.end(), [](const Atom* a, const Atom* b) { return a->id < b->id; });
  return atoms;
}

}  // namespace cameo::sym
