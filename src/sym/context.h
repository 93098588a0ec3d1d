#pragma once
// The owner of symbolic integers, and the facts about them.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sym/expr.h"

namespace cameo::sym {

class Knowledge;
class Store;

enum class Truth { no, yes, unknown };
Truth operator!(Truth truth);

enum class Relation { equal, not_equal, less, less_equal };

// A condition on numbers: a symbolic bool.
struct Condition {
  Relation relation = Relation::equal;
  Expr left;
  Expr right;
};
Condition negation(const Condition& condition);
std::string to_string(const Condition& condition);  // "h + 2 <= w", "h >= 1"

inline constexpr Range kDimension{1, std::nullopt};
inline constexpr Range kAnyInteger{};

// Owns expressions, symbols and assumptions; outlives every Expr made in it. Expressions of two contexts must
// not meet. Not thread-safe, and a query may fill caches.
//
// Queries and every later arithmetic operation use the assumptions: within `h <= 3`, floordiv(h, 4) is 0. An
// expression that was built in a scope therefore holds in that scope.
class Context {
 public:
  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // A new symbol. If the name is taken, a number is added to it.
  Expr symbol(std::string_view name, Range range = kDimension, std::uint64_t tag = 0);
  std::optional<Expr> find_symbol(std::string_view name) const;

  // Answers that hold for every value of the symbols that the assumptions allow. `unknown` also where the
  // search gave up.
  Truth decide(const Condition& condition);
  Truth equal(Expr a, Expr b) { return decide({Relation::equal, a, b}); }
  Truth not_equal(Expr a, Expr b) { return decide({Relation::not_equal, a, b}); }
  Truth less(Expr a, Expr b) { return decide({Relation::less, a, b}); }
  Truth less_equal(Expr a, Expr b) { return decide({Relation::less_equal, a, b}); }
  Truth divisible(Expr a, Expr b);
  Range range(Expr e);

  // The q with a = b*q: as polynomials, or floordiv(a, b) if a is known to be divisible.
  std::optional<Expr> divide_exactly(Expr a, Expr b);

  // e under the current assumptions: equalities substituted, every operation redone.
  Expr simplify(Expr e);

  // Adds an assumption. Returns false and adds nothing if it is known to be wrong.
  bool assume(const Condition& condition);
  bool assume_equal(Expr a, Expr b) { return assume({Relation::equal, a, b}); }
  bool assume_less(Expr a, Expr b) { return assume({Relation::less, a, b}); }
  bool assume_less_equal(Expr a, Expr b) { return assume({Relation::less_equal, a, b}); }
  bool assume_divisible(Expr a, Expr b);

  // pop() removes the assumptions since the matching push().
  void push();
  void pop();

  Store& store() { return *store_; }              // for this folder's own use
  Knowledge& knowledge() { return *knowledge_; }  // for this folder's own use

 private:
  std::unique_ptr<Store> store_;
  std::unique_ptr<Knowledge> knowledge_;
};

// Assumptions that are made during its life are removed at its end.
class Scope {
 public:
  explicit Scope(Context& context) : context_(context) { context_.push(); }
  ~Scope() { context_.pop(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  Context& context_;
};

}  // namespace cameo::sym
