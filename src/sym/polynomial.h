#pragma once
// Polynomials over atoms, before they are interned: the arithmetic below expressions. A result that would not
// fit into int64 or the limits is absent.

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "sym/expr.h"

namespace cameo::sym {

using Monomial = std::vector<Factor>;

// Ordered by `precedes`, leading term first, no monomial twice, no coefficient 0. Zero has no terms.
using Polynomial = std::vector<Term>;

inline constexpr std::size_t kMaxPolynomialTerms = 256;

// Graded lexicographic, the leading monomial first.
std::strong_ordering compare(const Monomial& a, const Monomial& b);
int degree(const Monomial& m);
Monomial multiply(const Monomial& a, const Monomial& b);
std::optional<Monomial> divide(const Monomial& a, const Monomial& b);
Monomial common_factor(const Monomial& a, const Monomial& b);

Polynomial constant_polynomial(std::int64_t value);
Polynomial polynomial_of(Expr e);
Polynomial polynomial_of(const Atom* atom);
std::optional<std::int64_t> as_constant(const Polynomial& p);

std::optional<Polynomial> combine(std::int64_t s, const Polynomial& a, std::int64_t t, const Polynomial& b);
std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b);
std::optional<Polynomial> multiply(const Polynomial& a, const Term& b);

// The q with a = b*q, integer coefficients included; absent if there is none, or if b is zero.
std::optional<Polynomial> divide_exactly(const Polynomial& a, const Polynomial& b);

// p = factor*atom + rest, with no atom in either; absent if the atom has a higher power.
struct Split {
  Polynomial factor;
  Polynomial rest;
};
std::optional<Split> split(const Polynomial& p, const Atom* atom);

// The atoms of p itself, not of their operands, by id.
std::vector<const Atom*> direct_atoms(const Polynomial& p);

}  // namespace cameo::sym
