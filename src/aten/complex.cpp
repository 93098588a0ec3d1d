#include "aten/complex.h"

#include "aten/elementwise.h"

namespace cameo::aten {
namespace {

// The part that was stacked; null if this is not known.
onnx::Value* part_behind(const onnx::Value* pairs, std::size_t part) {
  const onnx::Node* concat = pairs->producer;
  if (!concat || concat->op != "Concat" || concat->inputs.size() != 2 || !pairs->has_rank()) return nullptr;
  const std::int64_t* axis = concat->attribute_if<std::int64_t>("axis");
  if (!axis || (*axis != -1 && *axis != pairs->rank() - 1)) return nullptr;
  const onnx::Value* spread = concat->inputs[part];
  const onnx::Node* unsqueeze = spread->producer;
  if (!unsqueeze || unsqueeze->op != "Unsqueeze" || !spread->has_rank()) return nullptr;
  onnx::Value* behind = unsqueeze->inputs[0];
  if (!behind->has_rank() || behind->rank() + 1 != spread->rank()) return nullptr;
  Shape shape = *behind->type.shape;
  shape.push_back(1);
  return shape == *spread->type.shape ? behind : nullptr;
}

// A weight stays in its file: a slice of it is a view.
Expr part_of(Emit& e, onnx::Value* pairs, std::int64_t part) {
  if (onnx::Value* known = part_behind(pairs, static_cast<std::size_t>(part))) return Expr(e, known);
  const Expr x(e, pairs);
  if (!pairs->constant()) return gather(x, e.scalar(DType::i64, part), -1);
  const std::int64_t last = x.rank() - 1;
  return squeeze(slice(x, last, part, part + 1), {last});
}

Expr zeros(const Expr& like) { return filled_like(like.number(0), like); }

Expr expanded_like(const Expr& x, const Expr& like) {
  if (!x->has_rank() || !like->has_rank() || x.shape() == like.shape()) return x;
  return expand(x, broadcast_shape(*x.e, x.shape(), like.shape()));
}

Expr sinh_of(const Expr& x) {
  if (x.dtype() == DType::f64) return (exp(x) - exp(-x)) * 0.5;
  return compute(*x.e, "Sinh", {x});
}
Expr cosh_of(const Expr& x) {
  if (x.dtype() == DType::f64) return (exp(x) + exp(-x)) * 0.5;
  return compute(*x.e, "Cosh", {x});
}

Expr imaginary_of(const Complex& x) { return x.is_real() ? zeros(x.real) : x.imaginary; }

}  // namespace

Complex parts_of(Emit& e, const Tensor& tensor) {
  if (!tensor.complex) return {Expr(e, tensor.value), nullptr};
  const Expr real = part_of(e, tensor.value, 0);
  return {real, part_of(e, tensor.value, 1)};
}

Complex complex_as(Emit& e, const Operand& operand, DType part) {
  if (const Tensor* tensor = std::get_if<Tensor>(&operand)) {
    const Complex parts = parts_of(e, *tensor);
    return {cast(parts.real, part), parts.is_real() ? Expr() : cast(parts.imaginary, part)};
  }
  const Scalar& number = std::get<Scalar>(operand);
  if (const auto* c = std::get_if<std::complex<double>>(&number.value))
    return {e.scalar(part, c->real()), c->imag() == 0 ? Expr() : Expr(e.scalar(part, c->imag()))};
  return {as(e, number, part), nullptr};
}

Expr stacked(const Complex& x) {
  const Expr real = unsqueeze(x.real, {-1});
  return concat({real, unsqueeze(x.imaginary, {-1})}, -1);
}

Tensor pairs(const Complex& x) {
  if (is_whole(x.real)) return pairs({floats(x.real), x.is_real() ? Expr() : floats(x.imaginary)});
  if (x.is_real()) return Tensor::pairs(stacked({x.real, zeros(x.real)}));
  const Expr real = expanded_like(x.real, x.imaginary);
  return Tensor::pairs(stacked({real, expanded_like(x.imaginary, real)}));
}

Tensor graph_input(Emit& e, onnx::Type type, std::string name) {
  const bool complex = is_complex(type.dtype);
  if (complex) {
    type.dtype = part_type(type.dtype);
    if (type.shape) type.shape->push_back(2);
  }
  Tensor input = e.graph_input(&e.model().main(), std::move(type), std::move(name));
  input.complex = complex;
  return input;
}

Tensor converted(Emit& e, const Tensor& x, DType dtype) {
  if (x.complex && is_complex(dtype)) return Tensor::pairs(e.cast(x.value, part_type(dtype)));
  if (is_complex(dtype)) return pairs({Expr(e.cast(x.value, part_type(dtype))), nullptr});
  return cast(parts_of(e, x).real, dtype);
}

Tensor expanded(Emit& e, const Tensor& x, const Shape& shape) {
  if (!x.complex) return e.expand(x, shape);
  Shape all = shape;
  all.push_back(2);
  Shape padded(shape.size() - x.shape().size(), Dim(1));
  if (padded.empty()) return Tensor::pairs(e.expand(x.value, all));
  padded.insert(padded.end(), x->type.shape->begin(), x->type.shape->end());
  return Tensor::pairs(e.expand(e.reshape(x.value, padded), all));
}

ComplexOperands complex_operands(Emit& e, const Operand& a, const Operand& b) {
  const DType part = part_type(result_type({a, b}));
  const Complex first = complex_as(e, a, part);
  return {first, complex_as(e, b, part)};
}

Complex operator-(const Complex& x) { return {-x.real, x.is_real() ? Expr() : -x.imaginary}; }

Complex operator+(const Complex& a, const Complex& b) {
  const Expr real = a.real + b.real;
  if (a.is_real()) return {real, b.imaginary};
  return {real, b.is_real() ? a.imaginary : a.imaginary + b.imaginary};
}

Complex operator-(const Complex& a, const Complex& b) {
  const Expr real = a.real - b.real;
  if (b.is_real()) return {real, a.imaginary};
  return {real, a.is_real() ? -b.imaginary : a.imaginary - b.imaginary};
}

Complex operator*(const Complex& a, const Complex& b) {
  if (a.is_real() && b.is_real()) return {a.real * b.real, nullptr};
  if (a.is_real()) return b * a;
  if (b.is_real()) {
    const Expr real = a.real * b.real;
    return {real, a.imaginary * b.real};
  }
  const Expr rr = a.real * b.real, ii = a.imaginary * b.imaginary;
  const Expr ri = a.real * b.imaginary, ir = a.imaginary * b.real;
  const Expr real = rr - ii;
  return {real, ri + ir};
}

// The divisor is scaled first, so that its square neither overflows nor vanishes.
Complex operator/(const Complex& a, const Complex& b) {
  if (b.is_real()) {
    const Expr real = a.real / b.real;
    return {real, a.is_real() ? Expr() : a.imaginary / b.real};
  }
  const Expr size = maximum(abs(b.real), abs(b.imaginary));
  const Expr c = b.real / size, d = b.imaginary / size;
  const Expr square = c * c + d * d;
  const Complex product = a * Complex{c, -d};
  const Expr real = product.real / square / size;
  return {real, product.imaginary / square / size};
}

Complex times(const Complex& x, double number) {
  const Expr real = x.real * number;
  return {real, x.is_real() ? Expr() : x.imaginary * number};
}

Complex conjugate(const Complex& x) { return {x.real, x.is_real() ? Expr() : -x.imaginary}; }
Complex times_i(const Complex& x) { return {-imaginary_of(x), x.real}; }

Complex where(const Expr& condition, const Complex& yes, const Complex& no) {
  const Expr real = where(condition, yes.real, no.real);
  if (yes.is_real() && no.is_real()) return {real, nullptr};
  const Expr zero = real.number(0);
  return {real, where(condition, yes.is_real() ? zero : yes.imaginary, no.is_real() ? zero : no.imaginary)};
}

Expr abs(const Complex& x) {
  if (x.is_real()) return abs(x.real);
  const Expr real = x.real * x.real;
  return sqrt(real + x.imaginary * x.imaginary);
}

Expr angle(const Complex& x) { return angle_of(imaginary_of(x), x.real); }

Expr equal(const Complex& a, const Complex& b) {
  const Expr real = equal(a.real, b.real);
  if (a.is_real() && b.is_real()) return real;
  const Expr zero = real.e->scalar(a.dtype(), 0.0);
  return real && equal(a.is_real() ? zero : a.imaginary, b.is_real() ? zero : b.imaginary);
}

Complex exp(const Complex& x) {
  const Expr size = exp(x.real);
  if (x.is_real()) return {size, nullptr};
  const Expr real = size * cos(x.imaginary);
  return {real, size * sin(x.imaginary)};
}

Complex log(const Complex& x) {
  const Expr real = log(abs(x));
  return {real, angle(x)};
}

Complex reciprocal(const Complex& x) { return Complex{x.real.number(1), nullptr} / x; }

// Zero to the power of zero is 1, to any other power it is 0.
Complex power(const Complex& x, const Complex& exponent) {
  const Complex general = exp(exponent * log(x));
  const Complex zero{x.real.number(0), nullptr};
  const Complex at_zero{cast(equal(exponent, zero), x.dtype()), nullptr};
  return where(equal(x, zero), at_zero, general);
}

Complex power(const Complex& x, std::int64_t exponent) {
  if (exponent < 0) return reciprocal(power(x, -exponent));
  Complex result{filled_like(x.real.number(1), x.real), nullptr};
  if (exponent == 0) return result;
  bool first = true;
  for (Complex square = x;; square = square * square) {
    if (exponent % 2 == 1) {
      result = first ? square : result * square;
      first = false;
    }
    exponent /= 2;
    if (exponent == 0) return result;
  }
}

Complex sinh(const Complex& x) {
  const Expr b = imaginary_of(x), real = sinh_of(x.real) * cos(b);
  return {real, cosh_of(x.real) * sin(b)};
}

Complex cosh(const Complex& x) {
  const Expr b = imaginary_of(x), real = cosh_of(x.real) * cos(b);
  return {real, sinh_of(x.real) * sin(b)};
}

Complex sin(const Complex& x) { return -times_i(sinh(times_i(x))); }
Complex cos(const Complex& x) { return cosh(times_i(x)); }

// (t + i y) / (1 + i t y) with t = tanh(a) and y = tan(b).
Complex tanh(const Complex& x) {
  const Expr t = tanh(x.real), b = imaginary_of(x), y = sin(b) / cos(b);
  const Expr ty = t * y, square = 1 + ty * ty;
  const Expr real = (t + ty * y) / square;
  return {real, (y - ty * t) / square};
}

Complex tan(const Complex& x) { return -times_i(tanh(times_i(x))); }

// From the half plane where no digits cancel.
Complex sqrt(const Complex& x) {
  const Expr b = imaginary_of(x);
  const Expr larger = sqrt((abs(x) + abs(x.real)) * 0.5);
  const Expr smaller = where(equal(larger, 0), larger, abs(b) / (larger * 2));
  const Expr right = x.real >= 0;
  const Expr real = where(right, larger, smaller), size = where(right, smaller, larger);
  return {real, where(has_sign(b), -size, size)};
}

Complex unit(const Complex& x) {
  const Expr size = abs(x);
  const Expr divisor = where(equal(size, 0), size.number(1), size);
  return x / Complex{divisor, nullptr};
}

}  // namespace cameo::aten
