#pragma once
#include <span>
#include <unordered_map>

#include "sym/expr.h"

namespace cameo::sym {

// The operation on new operands, with all its rules. Kind::whole expands again if it can.
Expr operate(Kind kind, std::span<const Expr> operands);

// e with each atom that it is directly made of replaced by its value; `values` has all of them.
Expr rebuild(Expr e, const std::unordered_map<const Atom*, Expr>& values);

// The operation of this atom redone on operands rebuilt from `values`; a division by an operand that has
// become 0 stays as it is, without a value.
Expr redo(const Atom& atom, const std::unordered_map<const Atom*, Expr>& values);

}  // namespace cameo::sym
