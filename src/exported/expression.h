#pragma once
// Symbolic expressions of torch.export programs: sympy's str form (PyTorch 2.1 to 2.5, and the keys of ranges) and
// its srepr form (PyTorch 2.6 and later).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cameo::exported {

// Both forms give the same tree. Operators of the str form become calls:
//   a + b   Add(a, b)               a - b   Add(a, Mul(-1, b))     -a       Mul(-1, a)
//   a * b   Mul(a, b)               a / b   Mul(a, Pow(b, -1))     a ** b   Pow(a, b)
//   a // b  FloorDiv(a, b)          a % b   PythonMod(a, b)        ~a       Not(a)
//   a & b   And(a, b)               a | b   Or(a, b)
//   a == b, != < <= > >=            Eq, Ne, Lt, Le, Gt, Ge
// Relations of the srepr form (Equality, StrictLessThan, …) get these short names, Rational(p, q) is
// Mul(p, Pow(q, -1)), and infinite bounds are the symbol "int_oo", with Mul(-1, …) around it if negative.
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
