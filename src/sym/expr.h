#pragma once
// Symbolic integers: the sizes and numbers of a program that is evaluated on shapes. Every expression is kept
// in one normal form, a sum of integer coefficients times products of atoms, so that equal polynomials are
// the same object and `==` is a comparison of handles.
//
// The meaning of an expression is the value that int64 arithmetic gives. Constants are folded as int64 folds
// them (they wrap); a rewriting of symbolic terms assumes that their sizes fit into int64 and that nothing is
// divided by zero, since the program would have failed there.
//
// Limits: a result that would need a coefficient beyond int64, more than kMaxTerms terms or a degree above
// kMaxDegree keeps its larger operand whole, as an atom of Kind::whole. It stays right, and can be emitted
// and evaluated; it is only no longer expanded. Nesting is not limited: walk deep expressions with
// atoms_below.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace cameo::sym {

class Context;
struct Atom;
struct Term;

inline constexpr std::size_t kMaxTerms = 64;
inline constexpr int kMaxDegree = 32;
inline constexpr std::size_t kMaxOperands = 8;  // of a min or max that is still flattened

// The divisor of a floordiv, mod, truncdiv … is the constant 0: Python's ZeroDivisionError.
class DivisionByZero : public std::domain_error {
 public:
  DivisionByZero() : std::domain_error("integer division or modulo by zero") {}
};

// A value of two words, valid as long as its Context. A constant needs no Context: `e + 1`, `Expr()` is 0.
class Expr {
 public:
  constexpr Expr() = default;
  template <std::signed_integral T>
  constexpr Expr(T value) : constant_(value) {}

  constexpr bool is_constant() const { return sum_ == nullptr; }
  constexpr std::optional<std::int64_t> as_constant() const {
    return is_constant() ? std::optional(constant_) : std::nullopt;
  }
  // The atom that this expression is (coefficient and power 1, nothing added), or nullptr.
  const Atom* as_atom() const;
  // The sum, highest degree first; the term without factors, if there is one, comes last. Empty for a
  // constant.
  std::span<const Term> terms() const;
  std::int64_t constant_term() const;
  Context* context() const;  // nullptr for a constant

  // The same normal form. Context::equal also uses assumptions.
  friend constexpr bool operator==(Expr, Expr) = default;

 private:
  friend class Store;
  friend struct std::hash<Expr>;
  struct Sum;
  explicit Expr(const Sum* sum) : sum_(sum) {}
  const Sum* sum_ = nullptr;
  std::int64_t constant_ = 0;
};

// Inclusive; an absent end is open.
struct Range {
  std::optional<std::int64_t> lower;
  std::optional<std::int64_t> upper;
  friend bool operator==(const Range&, const Range&) = default;
};

struct Symbol {
  std::string name;       // unique within its Context
  Range range;            // always valid; assumptions may restrict it
  std::uint64_t tag = 0;  // the owner's: where the number comes from
};

enum class Kind : std::uint8_t {
  symbol,
  floordiv,  // operands: numerator, divisor; rounds down, as Python does
  truncdiv,  // operands: numerator, divisor; rounds towards zero, as ONNX's Div does
  min,       // two operands or more
  max,
  whole,  // one operand, not expanded
};

struct Atom {
  Context* context;
  std::uint32_t id;  // in order of creation: operands have smaller ids than their users
  Kind kind;
  std::vector<Expr> operands;
  const Symbol* symbol;  // of Kind::symbol only
};

struct Factor {
  const Atom* atom;
  std::int32_t power;  // at least 1
  friend bool operator==(const Factor&, const Factor&) = default;
};

struct Term {
  std::int64_t coefficient;     // not 0
  std::vector<Factor> factors;  // by atom id; empty for the constant term
  friend bool operator==(const Term&, const Term&) = default;
};

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator-(Expr a);
Expr pow(Expr base, std::int64_t exponent);  // exponent >= 0, else std::domain_error

// All of these throw DivisionByZero if b is the constant 0. mod(a, b) is a - b*floordiv(a, b) and is written
// so: remainders and quotients of the same numbers cancel by polynomial arithmetic alone.
Expr floordiv(Expr a, Expr b);  // Python's a // b
Expr mod(Expr a, Expr b);       // Python's a % b: the sign of b
Expr ceildiv(Expr a, Expr b);
Expr truncdiv(Expr a, Expr b);  // C's a / b
Expr truncmod(Expr a, Expr b);  // C's a % b: the sign of a

Expr min(Expr a, Expr b);
Expr max(Expr a, Expr b);
Expr abs(Expr a);

// The operands if e is a mod(dividend, divisor), so that it can be printed and emitted as one.
struct Remainder {
  Expr dividend;
  Expr divisor;
};
std::optional<Remainder> as_remainder(Expr e);

Expr as_expr(const Atom* atom);

// Every atom that e is made of, at any depth, each once, operands before their users.
std::vector<const Atom*> atoms_below(Expr e);
// The same without atoms that are done, and what only they are made of.
std::vector<const Atom*> atoms_below(Expr e, const std::function<bool(const Atom*)>& is_done);

// e with atoms (symbols, mostly) replaced, everywhere at once; a key is an expression that is an atom. A
// divisor that becomes 0 does not throw: that division has no value.
Expr substitute(Expr e, const std::unordered_map<Expr, Expr>& values);

// The value of e for given values of its symbols; nothing if one is missing, or on overflow or division by 0.
std::optional<std::int64_t> evaluate(Expr e, const std::unordered_map<Expr, std::int64_t>& symbols);

// A formula: "2*batch + 1", "floor((h + 1)/2) - 1", "mod(h, 4)". The same expression always gives the same
// text, and different ones give different texts unless the text is longer than `limit`: then it is cut,
// ending in "...".
std::string to_string(Expr e, std::size_t limit = 4096);

}  // namespace cameo::sym

template <>
struct std::hash<cameo::sym::Expr> {
  std::size_t operator()(cameo::sym::Expr e) const noexcept {
    return std::hash<const void*>()(e.sum_) ^ (std::hash<std::int64_t>()(e.constant_) * 0x9e3779b97f4a7c15u);
  }
};
