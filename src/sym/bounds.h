#pragma once
// Ranges of expressions. An atom's range follows from its operands' ranges and from facts about the atom
// alone. A polynomial's lower bound is the best of
//   - its atoms shifted to start at 0, where a sum of non-negative terms is at least its constant term;
//   - the bound of the polynomial with a floor division, min or max replaced by an operand that bounds it;
//   - the bound of the polynomial minus a multiple of a fact.
// The last two are searched within a fixed budget, so that a query takes a bounded time.

#include <unordered_map>
#include <vector>

#include "sym/expr.h"
#include "sym/polynomial.h"

namespace cameo::sym {

class Bounds {
 public:
  // Replaces all facts. Each fact is an expression that is not negative.
  void reset(std::vector<Polynomial> facts);

  Range range(Expr e);
  Range range(const Atom* atom);

 private:
  using Bound = std::optional<std::int64_t>;
  struct Search {
    int budget;
  };

  Range range_of_operation(const Atom& atom);
  Range range_beside_mean(const Atom& atom);
  Range quick_range(Expr e);
  Bound quick_lower(const Polynomial& p);
  Bound lower(const Polynomial& p, int depth, Search& search);

  // Lower bounds of p = s.factor*atom + s.rest.
  Bound without_floordiv(const Atom& atom, const Split& s, int depth, Search& search);
  Bound without_choice(const Atom& atom, const Split& s, int depth, Search& search);
  Bound without_whole(const Atom& atom, const Split& s, int depth, Search& search);
  Bound without_atom(const Polynomial& p, const Atom& atom, int depth, Search& search);
  Bound with_fact(const Polynomial& p, const Polynomial& fact, int depth, Search& search);

  int sign(const Polynomial& p);  // 1: never negative, -1: never positive, 0: not known
  bool may_be_negative(const Term& term);
  bool never_negative(const Monomial& m);

  std::vector<Polynomial> facts_;
  std::unordered_map<const Atom*, Range> known_;  // from facts about one atom
  std::unordered_map<const Atom*, Range> atoms_;  // cache
  std::unordered_map<Expr, Range> expressions_;   // cache
};

}  // namespace cameo::sym
