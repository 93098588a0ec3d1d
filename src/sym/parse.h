#pragma once
// Formulas as text.

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sym/expr.h"

namespace cameo::sym {

class FormulaError : public std::runtime_error {
 public:
  FormulaError(const std::string& message, std::size_t at, std::size_t length)
      : std::runtime_error(message), at_(at), length_(length) {}
  std::size_t at() const { return at_; }  // where the fault stands in the text
  std::size_t length() const { return length_; }

 private:
  std::size_t at_, length_;
};

struct ParsedFormula {
  Expr value;
  std::size_t end = 0;  // where the formula ends in the text
};

// Parses the formula that begins at `start`: "2*batch + 1", "n//2", "n % 4", "(h - 1)*w", "n^2", "max(1, n)",
// and all that to_string writes. A name consists of letters, digits, '_' and '.', and `symbol` says what it
// stands for. Throws FormulaError.
ParsedFormula parse_formula(std::string_view text, std::size_t start,
                            const std::function<Expr(std::string_view)>& symbol);
// The same for a text that is one formula and nothing else.
Expr parse_formula(std::string_view text, const std::function<Expr(std::string_view)>& symbol);

}  // namespace cameo::sym
