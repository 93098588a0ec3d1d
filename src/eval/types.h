#pragma once
#include "eval/state/evaluation.h"

namespace cameo::eval {

// isinstance(value, type), where `type` is a type or a tuple of types.
bool is_instance(const Value& value, const script::Expr& type);

// The value as a variable of the declared type holds it: a tensor becomes the number in it if a number is
// declared, an int becomes a float if a float is declared. Any other value stays as it is.
Value convert_to(Evaluation& evaluation, const script::Expr& type, Value value);

}  // namespace cameo::eval
