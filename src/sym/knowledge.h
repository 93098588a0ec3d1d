#pragma once
// The assumptions about the symbols of a Context, in scopes, and their consequences.

#include <unordered_map>
#include <utility>
#include <vector>

#include "sym/bounds.h"
#include "sym/context.h"
#include "sym/expr.h"

namespace cameo::sym {

class Knowledge {
 public:
  // Assumptions beyond this number of a kind are not used. This gives fewer answers, but no wrong ones.
  static constexpr std::size_t kMaxFacts = 128;

  Truth decide(const Condition& condition);
  bool assume(const Condition& condition);
  Expr simplify(Expr e);
  void push();
  void pop();

  // As the names say, of expressions that are simplified already: for the rules of arithmetic.
  Range range(Expr e);
  bool at_least(Expr e, std::int64_t value);
  Truth divisible(Expr a, Expr b);
  std::optional<std::int64_t> remainder(Expr a, std::int64_t k);  // of a by k > 0, from 0 to k - 1
  void assume_divisible(Expr a, Expr b);

 private:
  struct Substitution {
    const Atom* symbol = nullptr;
    Expr value;
  };
  struct Divisibility {
    Expr dividend;
    Expr divisor;
  };
  struct Mark {
    std::size_t facts, differences, substitutions, divisibilities;
  };

  Truth is_zero(Expr difference);
  void add_fact(Expr not_negative);
  void add_difference(Expr not_zero);
  void add_zero(Expr zero);
  bool solve(Expr zero);
  void changed() { is_stale_ = true; }
  void refresh();
  Expr simplified(const Atom* atom);
  Expr cancel_exact_divisions(Expr e);
  std::vector<Polynomial> equivalents(const Polynomial& a, const Polynomial& b);
  bool divisible_by_facts(const Polynomial& a, const Polynomial& b, int depth);
  std::optional<std::int64_t> remainder(const Polynomial& a, std::int64_t k, int depth);

  std::vector<Expr> facts_;        // not negative
  std::vector<Expr> differences_;  // not zero
  std::vector<Substitution> substitutions_;
  std::vector<Divisibility> divisibilities_;
  std::vector<Mark> marks_;

  // Derived from the above.
  bool is_stale_ = false;
  Bounds bounds_;
  std::unordered_map<const Atom*, Expr> simplified_;
};

}  // namespace cameo::sym
