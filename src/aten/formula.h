#pragma once
// Formulas of tensors that read as they are written: exp(-x * x) / (1 + 2 * x). An Expr is a value of the
// graph together with its emitter; an operator or a function of it emits ONNX nodes. Numbers take the dtype
// of the tensor beside them. Elementwise operators run in a dtype for which runtimes implement them (see
// `compute`). The compiler chooses which operand is evaluated first: name operands whose nodes must come in a
// certain order.

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "aten/arg.h"

namespace cameo::aten {

using Axes = std::vector<std::int64_t>;

template <class T>
concept Number = std::is_arithmetic_v<T>;
template <class T>
concept NumberOrSize = Number<T> || std::same_as<T, Dim>;

struct Expr : ValueRef {
  Emit* e = nullptr;

  Expr(std::nullptr_t = nullptr) {}  // no value: an optional input that is left out
  Expr(Emit& emit, onnx::Value* v) : ValueRef{v}, e(&emit) {}
  Expr(const onnx::Emitted& emitted) : ValueRef{emitted.value}, e(emitted.emit) {}
  explicit operator bool() const = delete;  // a runtime value; ask `.value` whether there is one

  // A 0-d constant of this dtype; a size becomes a 0-d value of this dtype.
  Expr number(double constant) const;
  Expr number(std::int64_t constant) const;
  Expr number(const Dim& size) const;
  template <Number N>
  Expr number(N constant) const {
    if constexpr (std::floating_point<N>)
      return number(double{constant});
    else
      return number(std::int64_t{constant});
  }
};

// The operator in a dtype for which runtimes implement it; ONNX permits more. Operands of another dtype are
// cast to one that holds all its numbers, and the result is cast back. Only f64 may become f32, for functions
// that runtimes implement in f32 only. It is the dtype of the first input (of Where, the second) and of all
// others but for conditions and indices.
Expr compute(Emit& e, std::string_view op, std::vector<onnx::Value*> inputs,
             onnx::Attributes attributes = {});

// The results of an operator that has several.
std::vector<Expr> ops(Emit& e, std::string_view op, std::vector<onnx::Value*> inputs,
                      onnx::Attributes attributes, std::size_t outputs);

Expr binary(std::string_view op, const Expr& a, const Expr& b);

// The operands of the operators: two tensors, or a tensor and a number or size.
template <class T>
concept Term = std::same_as<T, Expr> || std::same_as<T, onnx::Emitted>;
template <class B, class A>
concept With = (Term<A> && (Term<B> || NumberOrSize<B>)) || (NumberOrSize<A> && Term<B>);

template <class A, With<A> B>
Expr operation(std::string_view op, const A& a, const B& b) {
  if constexpr (NumberOrSize<A>)
    return binary(op, Expr(b).number(a), b);
  else if constexpr (NumberOrSize<B>)
    return binary(op, a, Expr(a).number(b));
  else
    return binary(op, a, b);
}

template <class A, With<A> B>
Expr operator+(const A& a, const B& b) {
  return operation("Add", a, b);
}
template <class A, With<A> B>
Expr operator-(const A& a, const B& b) {
  return operation("Sub", a, b);
}
template <class A, With<A> B>
Expr operator*(const A& a, const B& b) {
  return operation("Mul", a, b);
}
template <class A, With<A> B>
Expr operator/(const A& a, const B& b) {
  return operation("Div", a, b);
}
template <class A, With<A> B>
Expr operator%(const A& a, const B& b) {
  return operation("Mod", a, b);
}
template <class A, With<A> B>
Expr operator<(const A& a, const B& b) {
  return operation("Less", a, b);
}
template <class A, With<A> B>
Expr operator>(const A& a, const B& b) {
  return operation("Greater", a, b);
}
template <class A, With<A> B>
Expr operator<=(const A& a, const B& b) {
  return operation("LessOrEqual", a, b);
}
template <class A, With<A> B>
Expr operator>=(const A& a, const B& b) {
  return operation("GreaterOrEqual", a, b);
}
template <class A, With<A> B>
Expr equal(const A& a, const B& b) {
  return operation("Equal", a, b);
}
template <class A, With<A> B>
Expr power(const A& a, const B& b) {
  return operation("Pow", a, b);
}
template <class A, With<A> B>
bool operator==(const A& a, const B& b) = delete;  // see equal()

Expr operator-(const Expr& x);
Expr operator!(const Expr& condition);
Expr operator&&(const Expr& a, const Expr& b);
Expr operator||(const Expr& a, const Expr& b);
Expr exclusive_or(const Expr& a, const Expr& b);
Expr maximum(const Expr& a, const Expr& b);  // booleans too
Expr minimum(const Expr& a, const Expr& b);
template <NumberOrSize N>
Expr maximum(const Expr& a, const N& b) {
  return maximum(a, a.number(b));
}
template <NumberOrSize N>
Expr minimum(const Expr& a, const N& b) {
  return minimum(a, a.number(b));
}

Expr where(const Expr& condition, const Expr& yes, const Expr& no);
template <NumberOrSize N>
Expr where(const Expr& condition, const Expr& yes, const N& no) {
  return where(condition, yes, yes.number(no));
}
template <NumberOrSize N>
Expr where(const Expr& condition, const N& yes, const Expr& no) {
  return where(condition, no.number(yes), no);
}

Expr abs(const Expr& x);
Expr ceil(const Expr& x);
Expr cos(const Expr& x);
Expr exp(const Expr& x);
Expr floor(const Expr& x);
Expr is_inf(const Expr& x);
Expr is_nan(const Expr& x);
Expr log(const Expr& x);
Expr log1p(const Expr& x);  // exact near 0
Expr reciprocal(const Expr& x);
Expr relu(const Expr& x);
Expr round(const Expr& x);
Expr sigmoid(const Expr& x);
Expr sign(const Expr& x);
Expr sin(const Expr& x);
Expr sqrt(const Expr& x);
Expr tanh(const Expr& x);
// The remainder with the sign of the dividend, as C's fmod; `%` gives Python's for integers.
Expr fmod(const Expr& a, const Expr& b);
Expr clip(const Expr& x, const Expr& least, const Expr& most);
Expr clip(const Expr& x, double least, double most);
Expr matmul(const Expr& a, const Expr& b);
// c[0] + c[1] x + c[2] x² …
Expr polynomial(const Expr& x, std::span<const double> coefficients);

// The emitter's own operators. Each returns its operand if it changes nothing.
Expr cast(const Expr& x, DType dtype);
Expr cast_like(const Expr& x, const Expr& like);  // to the dtype of `like`
Expr concat(const std::vector<Expr>& xs, std::int64_t axis);
Expr expand(const Expr& x, const Shape& shape);
Expr gather(const Expr& x, const Expr& indices, std::int64_t axis);
Expr gather_elements(const Expr& x, const Expr& indices, std::int64_t axis);
Expr reshape(const Expr& x, const Shape& shape);
Expr slice(const Expr& x, std::int64_t axis, const Dim& start, const Dim& end, std::int64_t step = 1);
Expr squeeze(const Expr& x, Axes axes);
Expr transpose(const Expr& x, Axes perm);
Expr unsqueeze(const Expr& x, Axes axes);
Expr cumulative_sum(const Expr& x, std::int64_t axis);

// The function of one argument, computed in f64 and rounded to the dtype that PyTorch gives; integers become
// f32 first.
Expr in_f64(const Expr& self, Expr (*function)(Expr));
template <Expr (*F)(Expr)>
Expr precisely(Emit&, Expr self) {
  return in_f64(self, F);
}

}  // namespace cameo::aten
