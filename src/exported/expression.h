#pragma once
// Symbolic expressions of torch.export programs: sympy's str form (PyTorch 2.1 to 2.5, and the keys of ranges) and
// its srepr form (PyTorch 2.6 and later).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cameo::exported {

// Both forms give the same tree. Operators of the str form become calls of sympy's classes:
// a + b is Add(a, b); a - b is Add(a, Mul(-1, b)); -a is Mul(-1, a).
// a * b is Mul(a, b); a / b is Mul(a, Pow(b, -1)); a ** b is Pow(a, b).
// a // b is FloorDiv(a, b); a % b is PythonMod(a, b).
// a & b is And(a, b); a | b is Or(a, b); ~a is Not(a).
// Relations are Eq, Ne, Lt, Le, Gt and Ge, also where the srepr form says Equality, StrictLessThan and so on.
// Rational(p, q) is Mul(p, Pow(q, -1)). IntInfinity() is the symbol int_oo.
struct Expression {
  enum class Kind : std::uint8_t { integer, real, boolean, symbol, call };
  Kind kind = Kind::integer;
  std::int64_t integer = 0;  // a boolean is 0 or 1
  double real = 0;
  std::string name;              // of the symbol or function
  std::vector<Expression> args;  // of a call

  friend bool operator==(const Expression&, const Expression&) = default;
};

// Throws Error: a syntax error, or a limit (depth, integers beyond 64 bits).
Expression parse_expression(std::string_view text);
// In one canonical text, as calls: "Add(Mul(2, s0), 1)".
std::string to_string(const Expression& expression);

}  // namespace cameo::exported
