#pragma once
// Shared by the elementwise families: operands of one dtype, and operators in the dtypes for which runtimes
// implement them.

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "aten/formula.h"
#include "aten/support.h"

namespace cameo::aten {

// The dtype in which runtimes implement the operator: this one, or one that holds all its numbers (f32 for
// f64 only if there is no better one).
DType implemented(std::string_view op, DType dtype);

// Two operands of one dtype.
struct Operands {
  Expr a;
  Expr b;
  DType dtype() const { return a.dtype(); }
};
Operands operands(Emit& e, const Operand& a, const Operand& b);        // of the promoted dtype
Operands float_operands(Emit& e, const Operand& a, const Operand& b);  // integers become f32

// The name of an ONNX operator as a template argument.
struct OpName {
  char text[16];
  consteval OpName(const char* literal) : text{} {
    for (std::size_t i = 0; literal[i] != 0; ++i) text[i] = literal[i];
  }
};

// A converter of two operands, for parameters that are tensors or numbers.
template <Expr (*F)(Emit&, const Operand&, const Operand&), class A, class B>
Expr on(Emit& e, A a, B b) {
  return F(e, a, b);
}

Expr floats(const Expr& self);        // integers and booleans become f32
bool is_whole(const ValueRef& self);  // integers and booleans: nothing to round

// The number that a 0-d constant is.
std::optional<double> known_number(const onnx::Value* value);
double known_number(const Scalar& scalar,
                    std::string_view name);  // throws Unsupported if it is a runtime value

// a + w * (b - a), computed from the nearer end.
Expr lerp(const Expr& a, const Expr& b, const Expr& w);

// A tensor of one number. `value` is 0-d.
Expr filled(const Expr& value, const Shape& shape);
Expr filled_like(const Expr& value, const Expr& shape_of);

Expr truncated(const Expr& x);  // floats, towards zero
Expr softplus(const Expr& x);   // log(1 + exp(x)), for any size of x
Expr atan(const Expr& x);       // with all digits of f64
// The angle near `guess` that has this sine and cosine, or multiples of both by one positive number.
Expr angle_near(const Expr& guess, const Expr& sine, const Expr& cosine);
Expr angle_of(const Expr& y, const Expr& x);  // of the point (x, y): atan2
Expr has_sign(const Expr& x);                 // where a number is negative, or a negative zero

}  // namespace cameo::aten
