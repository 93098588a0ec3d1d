#pragma once
// The hash-consed nodes behind expressions.

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "sym/expr.h"
#include "sym/polynomial.h"

namespace cameo::sym {

struct Expr::Sum {
  Context* context;
  Polynomial terms;  // not a constant
};

class Store {
 public:
  explicit Store(Context* context) : context_(context) {}

  Expr symbol(std::string_view name, Range range, std::uint64_t tag);
  std::optional<Expr> find_symbol(std::string_view name) const;

  // The expression of this operation as it stands: no rule is applied.
  Expr atom(Kind kind, std::vector<Expr> operands);
  Expr whole(Expr operand);  // operand itself if it is an atom or a constant

  // nullopt if p is beyond the limits of an expression.
  std::optional<Expr> intern(Polynomial p);
  Expr intern(const Atom* atom);

 private:
  struct SumHash {
    std::size_t operator()(const Expr::Sum& sum) const;
  };
  struct SumEqual {
    bool operator()(const Expr::Sum& a, const Expr::Sum& b) const { return a.terms == b.terms; }
  };
  struct AtomHash {
    std::size_t operator()(const Atom& atom) const;
  };
  struct AtomEqual {
    bool operator()(const Atom& a, const Atom& b) const {
      return a.kind == b.kind && a.symbol == b.symbol && a.operands == b.operands;
    }
  };
  const Atom* insert(Kind kind, std::vector<Expr> operands, const Symbol* symbol);

  Context* context_;
  std::uint32_t next_id_ = 0;
  std::unordered_set<Expr::Sum, SumHash, SumEqual> sums_;
  std::unordered_set<Atom, AtomHash, AtomEqual> atoms_;
  std::deque<Symbol> symbols_;
  std::unordered_map<std::string, const Atom*> by_name_;
};

}  // namespace cameo::sym
