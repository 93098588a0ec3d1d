#pragma once
// Formulas of complex tensors: a * b + exp(c). A number is a pair of real formulas; where the imaginary part is
// absent, it is zero and costs no node.

#include "aten/formula.h"
#include "aten/support.h"

namespace cameo::aten {

struct Complex {
  Expr real;
  Expr imaginary;  // absent (`value` is null): zero

  bool is_real() const { return imaginary.value == nullptr; }
  DType dtype() const { return real.dtype(); }  // of the parts
};

// The parts of a tensor. A real tensor has no imaginary part.
Complex parts_of(Emit& e, const Tensor& tensor);
// The parts of an operand, in this dtype. The dtype is not complex.
Complex complex_as(Emit& e, const Operand& operand, DType part);
// The tensor of these numbers. Its parts have one shape; a part that is smaller is expanded.
Tensor pairs(const Complex& x);
// The parts along a new last axis. The imaginary part is not absent.
Expr stacked(const Complex& x);

// An input of the main graph for a tensor of this type. A complex type makes a real input of pairs.
Tensor graph_input(Emit& e, onnx::Type type, std::string name);

// Converts between any two dtypes. Complex numbers that become real lose their imaginary parts.
Tensor converted(Emit& e, const Tensor& x, DType dtype);
Tensor expanded(Emit& e, const Tensor& x, const Shape& shape);

struct ComplexOperands {
  Complex a;
  Complex b;
};
ComplexOperands complex_operands(Emit& e, const Operand& a, const Operand& b);  // of the promoted dtype

Complex operator+(const Complex& a, const Complex& b);
Complex operator-(const Complex& a, const Complex& b);
Complex operator*(const Complex& a, const Complex& b);
Complex operator/(const Complex& a, const Complex& b);
Complex operator-(const Complex& x);
Complex times(const Complex& x, double number);
Complex conjugate(const Complex& x);
Complex times_i(const Complex& x);
Complex where(const Expr& condition, const Complex& yes, const Complex& no);

Expr abs(const Complex& x);
Expr angle(const Complex& x);
Expr equal(const Complex& a, const Complex& b);
Complex cos(const Complex& x);
Complex cosh(const Complex& x);
Complex exp(const Complex& x);
Complex log(const Complex& x);
Complex power(const Complex& x, const Complex& exponent);
Complex power(const Complex& x, std::int64_t exponent);
Complex reciprocal(const Complex& x);
Complex sin(const Complex& x);
Complex sinh(const Complex& x);
Complex sqrt(const Complex& x);
Complex tanh(const Complex& x);
Complex tan(const Complex& x);
Complex unit(const Complex& x);  // x / |x|; 0 stays

// Converters of one operand, and of two that are tensors or numbers.
template <Complex (*F)(const Complex&)>
Tensor of_complex(Emit& e, Tensor self) {
  return pairs(F(parts_of(e, self)));
}
template <Complex (*F)(const Complex&, const Complex&), class A, class B>
Tensor on_complex(Emit& e, A a, B b) {
  const ComplexOperands operands = complex_operands(e, a, b);
  return pairs(F(operands.a, operands.b));
}

}  // namespace cameo::aten
