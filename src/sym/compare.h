#pragma once
#include "sym/expr.h"

namespace cameo::sym {

// An expression that is never negative exactly where e is: coefficients without a common factor.
Expr tightened(Expr e);

// An expression that is zero exactly where e is: no common factor, the leading coefficient positive.
Expr primitive(Expr e);

}  // namespace cameo::sym
