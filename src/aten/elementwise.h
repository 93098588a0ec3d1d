#pragma once
// What the elementwise families share: operands brought to one dtype, and operators in the dtypes that
// runtimes have them for.

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "aten/arg.h"
#include "aten/support.h"

namespace cameo::aten {

// The operator in a dtype that runtimes have it for; ONNX admits more. A dtype that they lack is cast to one
// that holds all its numbers, and the result back; only f64 may become f32, for functions that runtimes know
// no better. It is the dtype of the first input (of Where, the second) and of all others but for conditions
// and indices.
onnx::Value* compute(Emit& e, std::string_view op, std::vector<onnx::Value*> inputs,
                     onnx::Attributes attributes = {});

// The dtype in which runtimes have the operator: this one, or one that holds all its numbers (f32 for f64
// only where there is no better).
DType implemented(std::string_view op, DType dtype);

// Two operands of one dtype.
struct Operands {
  onnx::Value* a;
  onnx::Value* b;
  DType dtype() const { return a->dtype(); }
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
template <Tensor (*F)(Emit&, const Operand&, const Operand&), class A, class B>
Tensor on(Emit& e, A a, B b) {
  return F(e, a, b);
}

Tensor floats(Emit& e, const Tensor& self);  // integers and booleans become f32
bool is_whole(const Tensor& self);           // integers and booleans: nothing to round

// A 0-d constant of the dtype of `like`.
onnx::Value* like(Emit& e, const onnx::Value* like, double number);
// The number that a 0-d constant is.
std::optional<double> known_number(const onnx::Value* value);
double known_number(const Scalar& scalar, std::string_view name);  // throws Unsupported if only a run tells

// a + w * (b - a), reckoned from the nearer end.
onnx::Value* lerp(Emit& e, onnx::Value* a, onnx::Value* b, onnx::Value* w);

// A tensor of one number. `value` is 0-d.
onnx::Value* filled(Emit& e, onnx::Value* value, const Shape& shape);
onnx::Value* filled_like(Emit& e, onnx::Value* value, const Tensor& shape_of);

onnx::Value* maximum(Emit& e, onnx::Value* a, onnx::Value* b);  // of one dtype, booleans too
onnx::Value* minimum(Emit& e, onnx::Value* a, onnx::Value* b);
onnx::Value* truncated(Emit& e, onnx::Value* x);  // floats, towards zero
onnx::Value* softplus(Emit& e, onnx::Value* x);   // log(1 + exp(x)), for any size of x
onnx::Value* atan(Emit& e, onnx::Value* x);       // with all digits of f64
// The angle near `guess` that has this sine and cosine, or multiples of both by one positive number.
onnx::Value* angle_near(Emit& e, onnx::Value* guess, onnx::Value* sine, onnx::Value* cosine);
onnx::Value* has_sign(Emit& e, onnx::Value* x);  // where a number is negative, or a negative zero

}  // namespace cameo::aten
