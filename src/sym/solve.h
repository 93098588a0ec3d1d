#pragma once
#include "sym/expr.h"

namespace cameo::sym {

// The symbol's value where `formula` has the given value: (value - 1)//2 for 2*n + 1. Absent if the formula is not
// linear in the symbol. A factor that is 0 tells nothing: the result is then any number.
std::optional<Expr> solve(Expr formula, Expr symbol, Expr value);

}  // namespace cameo::sym
