// Arithmetic of two operands and more.
#include <cmath>
#include <numbers>

#include "aten/complex.h"
#include "aten/elementwise.h"
#include "aten/families.h"

namespace cameo::aten {
namespace {

Expr product(Emit&, Expr a, Expr b) { return a->dtype() == DType::boolean ? a && b : a * b; }

Expr times_alpha(Emit& e, Expr x, const Scalar& alpha) {
  if (alpha.known() == 1.0) return x;
  if (alpha.is_float() && !is_floating(x->dtype()))
    throw ProgramError("'alpha' must be an integer for integer tensors");
  return product(e, x, as(e, alpha, x->dtype()));
}

Expr sum(Emit& e, const Operand& self, const Operand& other, const Scalar& alpha) {
  auto [a, b] = operands(e, self, other);
  b = times_alpha(e, b, alpha);
  return a->dtype() == DType::boolean ? a || b : a + b;
}

Expr difference(Emit& e, const Operand& self, const Operand& other, const Scalar& alpha) {
  auto [a, b] = operands(e, self, other);
  if (a->dtype() == DType::boolean) throw ProgramError("subtraction of booleans is not supported");
  return a - times_alpha(e, b, alpha);
}

template <class Other>
Expr add(Emit& e, Expr self, Other other, Scalar alpha) {
  return sum(e, self, other, alpha);
}
Expr add_to_number(Emit& e, Scalar self, Expr other, Scalar alpha) { return sum(e, self, other, alpha); }
template <class Other>
Expr sub(Emit& e, Expr self, Other other, Scalar alpha) {
  return difference(e, self, other, alpha);
}
Expr sub_from_number(Emit& e, Scalar self, Expr other, Scalar alpha) {
  return difference(e, self, other, alpha);
}
template <class Other>
Expr rsub(Emit& e, Expr self, Other other, Scalar alpha) {
  return difference(e, other, self, alpha);
}

Complex times_alpha(const Complex& x, Emit& e, const Scalar& alpha) {
  return alpha.known() == 1.0 ? x : x * complex_as(e, alpha, x.dtype());
}
template <class A, class B>
Tensor add_complex(Emit& e, A self, B other, Scalar alpha) {
  const auto [a, b] = complex_operands(e, self, other);
  return pairs(a + times_alpha(b, e, alpha));
}
template <class A, class B>
Tensor sub_complex(Emit& e, A self, B other, Scalar alpha) {
  const auto [a, b] = complex_operands(e, self, other);
  return pairs(a - times_alpha(b, e, alpha));
}
template <class A, class B>
Tensor rsub_complex(Emit& e, A self, B other, Scalar alpha) {
  return sub_complex(e, other, self, alpha);
}
Complex complex_product(const Complex& a, const Complex& b) { return a * b; }
Complex complex_quotient(const Complex& a, const Complex& b) { return a / b; }
Complex complex_square(const Complex& x) { return x * x; }

// Small whole exponents are products.
Complex complex_power_of(Emit& e, const Complex& x, const Operand& exponent) {
  constexpr std::int64_t kMost = 16;
  const Scalar* number = std::get_if<Scalar>(&exponent);
  const std::optional<double> known = number ? number->known() : std::nullopt;
  if (known == 0.5) return sqrt(x);
  if (known && std::abs(*known) <= kMost && *known == std::trunc(*known))
    return power(x, static_cast<std::int64_t>(*known));
  return power(x, complex_as(e, exponent, x.dtype()));
}
template <class A, class B>
Tensor complex_pow(Emit& e, A self, B exponent) {
  const DType part = part_type(result_type({self, exponent}));
  return pairs(complex_power_of(e, complex_as(e, self, part), exponent));
}
template <class A, class B>
Tensor complex_float_power(Emit& e, A self, B exponent) {
  return pairs(complex_power_of(e, complex_as(e, self, DType::f64), exponent));
}

Tensor addcmul_complex(Emit& e, Tensor self, Tensor tensor1, Tensor tensor2, Scalar value) {
  const DType part = part_type(result_type({self, tensor1, tensor2}));
  const Complex b = complex_as(e, tensor1, part), c = complex_as(e, tensor2, part);
  return pairs(complex_as(e, self, part) + times_alpha(b * c, e, value));
}
Tensor addcdiv_complex(Emit& e, Tensor self, Tensor tensor1, Tensor tensor2, Scalar value) {
  const DType part = part_type(result_type({self, tensor1, tensor2}));
  const Complex b = complex_as(e, tensor1, part), c = complex_as(e, tensor2, part);
  return pairs(complex_as(e, self, part) + times_alpha(b / c, e, value));
}

Expr mul(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  return product(e, a, b);
}

Expr div(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = float_operands(e, self, other);
  return a / b;
}

// Where a remainder of C's fmod has the sign that Python's would not have.
Expr wrong_sign(Emit& e, Expr rest, Expr divisor) {
  const std::optional<double> known = known_number(divisor);
  if (known && *known != 0) return e.op(*known > 0 ? "Less" : "Greater", {rest, rest.number(0)});
  const Expr signs = sign(rest) * sign(divisor);
  return signs < 0;
}

Expr c_remainder(Expr a, Expr b) { return fmod(a, b); }

bool is_power_of_two(double number) {
  int exponent = 0;
  return std::abs(std::frexp(number, &exponent)) == 0.5 && std::abs(exponent) < 14;
}

// The quotient itself may round up to an integer that it does not reach: 1 // 0.1 is 9. The multiple of b
// below a is exact.
Expr floor_of_quotient(Emit& e, Expr a, Expr b) {
  const std::optional<double> known = known_number(b);
  if (known && is_power_of_two(*known)) return floor(a / b);
  const Expr rest = c_remainder(a, b);
  const Expr towards_zero = round((a - rest) / b);
  const Expr below = towards_zero - cast(wrong_sign(e, rest, b), a->dtype());
  if (known && *known != 0) return below;
  return where(equal(b, 0), a / b, below);
}

Expr floor_divide(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  if (a->dtype() == DType::boolean) throw ProgramError("floor division of booleans is not supported");
  if (is_floating(a->dtype())) return floor_of_quotient(e, a, b);
  if (a->dtype() == DType::u8) return a / b;
  if (known_number(b) == 1.0) return a;
  return (a - a % b) / b;
}

Expr divide(Emit& e, const Operand& self, const Operand& other, const std::optional<std::string>& mode) {
  if (!mode) return div(e, self, other);
  if (*mode == "floor") return floor_divide(e, self, other);
  if (*mode != "trunc") throw ProgramError("'rounding_mode' must be None, 'trunc' or 'floor'");
  auto [a, b] = operands(e, self, other);
  const Expr quotient = a / b;
  return is_floating(a->dtype()) ? truncated(quotient) : quotient;
}
template <class Other>
Expr div_mode(Emit& e, Expr self, Other other, std::optional<std::string> mode) {
  return divide(e, self, other, mode);
}

Expr remainder(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  if (!is_floating(a->dtype())) return a % b;
  const Expr rest = c_remainder(a, b);
  return where(wrong_sign(e, rest, b), rest + b, rest);
}

Expr fmod(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  return c_remainder(a, b);
}

// By squaring: exact, and wrapping as integers do.
Expr integer_power(const Expr& x, std::int64_t exponent) {
  if (exponent == 0) return filled_like(x.number(1), x);
  std::optional<Expr> result;
  for (Expr square = x;; square = square * square) {
    if (exponent & 1) result = result ? *result * square : square;
    if ((exponent >>= 1) == 0) return *result;
  }
}

// Of integers: x to a negative power is 1/x, which is zero but for 1 and -1.
Expr integer_powers(const Expr& x, const Expr& y) {
  const Expr result = power(x, abs(y));
  const Expr inverse = where(equal(abs(x), 1), result, 0);
  return where(y < 0, inverse, result);
}

Expr pow(Emit& e, const Operand& self, const Operand& exponent) {
  auto [x, y] = operands(e, self, exponent);
  const std::optional<double> known = known_number(y);
  if (is_floating(x->dtype())) {
    if (known == 1.0) return x;
    if (known == 0.5) return sqrt(x);
    if (known == -1.0) return reciprocal(x);
    return power(x, y);
  }
  if (x->dtype() == DType::boolean) throw ProgramError("powers of booleans are not supported");
  if (!known) return integer_powers(x, y);
  if (*known < 0) throw ProgramError("integers to negative integer powers are not allowed");
  return integer_power(x, static_cast<std::int64_t>(*known));
}

Expr float_power(Emit& e, const Operand& self, const Operand& exponent) {
  return power(as(e, self, DType::f64), as(e, exponent, DType::f64));
}

// The quotient of integers is an integer, rounded towards zero.
Expr prim_div(Emit& e, Expr self, Expr other) {
  const bool whole = is_whole(self) && is_whole(other);
  return divide(e, self, other, whole ? std::optional<std::string>("trunc") : std::nullopt);
}

Expr cbrt(Emit&, Expr self) {
  const Expr x = floats(self);
  const Expr root = power(abs(x), 1.0 / 3);
  return where(has_sign(x), -root, root);
}

Expr neg(Emit&, Expr self) {
  if (self.dtype() == DType::boolean) throw ProgramError("negation of booleans is not supported");
  return -self;
}
Expr square(Emit& e, Expr self) {
  const Expr number = self.dtype() == DType::boolean ? Expr(cast(self, DType::i64)) : self;
  return mul(e, number, number);
}

Expr addcmul(Emit& e, Expr self, Expr tensor1, Expr tensor2, Scalar value) {
  const DType dtype = result_type({self, tensor1, tensor2});
  if (const double* given = std::get_if<double>(&value.value); given && !is_floating(dtype))
    value.value = Dim(static_cast<std::int64_t>(*given));
  const Expr factor = times_alpha(e, cast(tensor1, dtype), value);
  return cast(self, dtype) + factor * cast(tensor2, dtype);
}
Expr addcdiv(Emit& e, Expr self, Expr tensor1, Expr tensor2, Scalar value) {
  const DType dtype = result_type({self, tensor1, tensor2});
  if (!is_floating(dtype)) throw ProgramError("integers are not supported");
  const Expr numerator = times_alpha(e, cast(tensor1, dtype), value);
  return cast(self, dtype) + numerator / cast(tensor2, dtype);
}

template <class Weight>
Expr interpolate(Emit& e, Expr self, Expr end, Weight weight) {
  auto [a, b] = operands(e, self, end);
  return lerp(a, b, as(e, Operand(weight), a->dtype()));
}

Expr larger(Emit& e, Expr self, Expr other) {
  auto [a, b] = operands(e, self, other);
  return maximum(a, b);
}
Expr smaller(Emit& e, Expr self, Expr other) {
  auto [a, b] = operands(e, self, other);
  return minimum(a, b);
}

// The other one where one is NaN.
template <Expr (*Choose)(const Expr&, const Expr&)>
Expr unless_nan(Emit& e, Expr self, Expr other) {
  auto [a, b] = operands(e, self, other);
  if (!is_floating(a->dtype())) return Choose(a, b);
  const Expr chosen = where(is_nan(b), a, Choose(a, b));
  return where(is_nan(a), b, chosen);
}

Expr clamp(Emit& e, Expr self, std::optional<Scalar> min, std::optional<Scalar> max) {
  if (!min && !max) throw ProgramError("at least one of 'min' and 'max' must be given");
  std::vector<Operand> all{self};
  if (min) all.push_back(*min);
  if (max) all.push_back(*max);
  const DType dtype = result_type(all);
  return compute(e, "Clip",
                 {cast(self, dtype), min ? as(e, *min, dtype).value : nullptr,
                  max ? as(e, *max, dtype).value : nullptr});
}

Expr clamp_tensor(Emit&, Expr self, std::optional<Expr> min, std::optional<Expr> max) {
  if (!min && !max) throw ProgramError("at least one of 'min' and 'max' must be given");
  std::vector<Operand> all{self};
  if (min) all.push_back(*min);
  if (max) all.push_back(*max);
  const DType dtype = result_type(all);
  Expr x = cast(self, dtype);
  if (min) x = maximum(x, cast(*min, dtype));
  if (max) x = minimum(x, cast(*max, dtype));
  return x;
}
Expr clamp_min(Emit& e, Expr self, Scalar min) { return clamp(e, self, min, std::nullopt); }
Expr clamp_max(Emit& e, Expr self, Scalar max) { return clamp(e, self, std::nullopt, max); }

Expr atan2(Emit& e, Expr self, Expr other) {
  auto [y, x] = float_operands(e, self, other);
  return angle_of(y, x);
}

// Squares of the quotient do not overflow. The result is infinite if one operand is, even beside a NaN.
Expr hypot(Emit& e, Expr self, Expr other) {
  auto [a, b] = operands(e, self, other);
  const Expr x = abs(a), y = abs(b);
  const Expr larger = maximum(x, y);
  const Expr quotient = minimum(x, y) / where(equal(larger, 0), 1, larger);
  const Expr infinite = is_inf(x) || is_inf(y);
  return where(infinite, kInfinity, larger * sqrt(1 + quotient * quotient));
}

Expr copysign(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = float_operands(e, self, other);
  const Expr size = abs(a);
  return where(has_sign(b), -size, size);
}

Expr heaviside(Emit& e, Expr self, Expr values) {
  auto [x, at_zero] = operands(e, self, values);
  const Expr zero = x.number(0);
  const Expr step = cast(x > zero, x->dtype());
  return where(equal(x, zero), at_zero, step);
}

// 0 where the factor is 0, for any logarithm.
Expr times_log(Expr x, Expr y, Expr log) {
  const Expr product = x * log;
  if (std::optional<double> known = known_number(x); known && *known != 0) return product;
  const Expr zero = x.number(0);
  const Expr vanishes = equal(x, zero) && !is_nan(y);
  return where(vanishes, zero, product);
}
Expr xlogy(Emit& e, const Operand& self, const Operand& other) {
  auto [x, y] = float_operands(e, self, other);
  return times_log(x, y, log(y));
}

// max(a, b) + log(1 + exp(-|a - b|)); equal infinities have no difference.
Expr log_of_sum(Expr a, Expr b, double log_of_base) {
  const Expr apart = where(equal(a, b), 0, a - b);
  const Expr below = -abs(apart);
  if (log_of_base == 1) return maximum(a, b) + softplus(below);
  const Expr unit = a.number(log_of_base);
  return maximum(a, b) + softplus(below * unit) / unit;
}
Expr logaddexp(Emit& e, Expr self, Expr other) {
  auto [a, b] = operands(e, self, other);
  return log_of_sum(a, b, 1);
}
Expr logaddexp2(Emit& e, Expr self, Expr other) {
  auto [a, b] = operands(e, self, other);
  return log_of_sum(a, b, std::numbers::ln2);
}

constexpr Declaration kArithmetic[] = {
    op<add<Tensor>, add_complex<Tensor, Tensor>>(
        "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
        {.doc = "a + alpha b.", .aliases = {"prims::add"}, .literal_as_number = true}),
    op<add<Scalar>, add_complex<Tensor, Scalar>>(
        "aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", {.doc = "a + alpha b."}),
    op<add_to_number, add_complex<Scalar, Tensor>>(
        "aten::add.Scalar_Tensor(Scalar self, Tensor other, *, Scalar alpha=1) -> Tensor",
        {.doc = "a + alpha b."}),
    op<sub<Tensor>, sub_complex<Tensor, Tensor>>(
        "aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
        {.doc = "a - alpha b.",
         .aliases = {"aten::subtract.Tensor", "prims::sub"},
         .literal_as_number = true}),
    op<sub<Scalar>, sub_complex<Tensor, Scalar>>(
        "aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
        {.doc = "a - alpha b.", .aliases = {"aten::subtract.Scalar"}}),
    op<sub_from_number, sub_complex<Scalar, Tensor>>(
        "aten::sub.Scalar_Tensor(Scalar self, Tensor other, *, Scalar alpha=1) -> Tensor",
        {.doc = "a - alpha b."}),
    op<rsub<Tensor>, rsub_complex<Tensor, Tensor>>(
        "aten::rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", {.doc = "b - alpha a."}),
    op<rsub<Scalar>, rsub_complex<Tensor, Scalar>>(
        "aten::rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", {.doc = "b - alpha a."}),
    op<on<mul, Tensor, Tensor>, on_complex<complex_product, Tensor, Tensor>>(
        "aten::mul.Tensor(Tensor self, Tensor other) -> Tensor",
        {.doc = "a b.", .aliases = {"aten::multiply.Tensor", "prims::mul"}, .literal_as_number = true}),
    op<on<mul, Tensor, Scalar>, on_complex<complex_product, Tensor, Scalar>>(
        "aten::mul.Scalar(Tensor self, Scalar other) -> Tensor",
        {.doc = "a b.", .aliases = {"aten::multiply.Scalar"}}),
    op<on<mul, Scalar, Tensor>, on_complex<complex_product, Scalar, Tensor>>(
        "aten::mul.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", {.doc = "a b."}),
    op<on<div, Tensor, Tensor>, on_complex<complex_quotient, Tensor, Tensor>>(
        "aten::div.Tensor(Tensor self, Tensor other) -> Tensor",
        {.doc = "a / b; integers become floats.",
         .aliases = {"aten::divide.Tensor"},
         .literal_as_number = true,
         .older = {.until = 4, .form = OldForm::integer_division}}),
    op<on<div, Tensor, Scalar>, on_complex<complex_quotient, Tensor, Scalar>>(
        "aten::div.Scalar(Tensor self, Scalar other) -> Tensor",
        {.doc = "a / b; integers become floats.",
         .aliases = {"aten::divide.Scalar"},
         .older = {.until = 4, .form = OldForm::integer_division}}),
    op<on<div, Scalar, Tensor>, on_complex<complex_quotient, Scalar, Tensor>>(
        "aten::div.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
        {.doc = "a / b; integers become floats.", .older = {.until = 4, .form = OldForm::integer_division}}),
    op<div_mode<Tensor>>(
        "aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
        {.doc = "a / b, rounded down or towards zero.", .aliases = {"aten::divide.Tensor_mode"}}),
    op<div_mode<Scalar>>(
        "aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
        {.doc = "a / b, rounded down or towards zero.", .aliases = {"aten::divide.Scalar_mode"}}),
    op<on<div, Tensor, Tensor>, on_complex<complex_quotient, Tensor, Tensor>>(
        "aten::true_divide.Tensor(Tensor self, Tensor other) -> Tensor",
        {.doc = "a / b; integers become floats.", .literal_as_number = true}),
    op<on<div, Tensor, Scalar>, on_complex<complex_quotient, Tensor, Scalar>>(
        "aten::true_divide.Scalar(Tensor self, Scalar other) -> Tensor",
        {.doc = "a / b; integers become floats."}),
    op<on<floor_divide, Tensor, Tensor>>("aten::floor_divide(Tensor self, Tensor other) -> Tensor",
                                         {.doc = "a / b, rounded down."}),
    op<on<floor_divide, Tensor, Scalar>>("aten::floor_divide.Scalar(Tensor self, Scalar other) -> Tensor",
                                         {.doc = "a / b, rounded down."}),
    op<on<remainder, Tensor, Tensor>>(
        "aten::remainder.Tensor(Tensor self, Tensor other) -> Tensor",
        {.doc = "What a floor division leaves, with b's sign.", .aliases = {"prims::remainder"}}),
    op<on<remainder, Tensor, Scalar>>("aten::remainder.Scalar(Tensor self, Scalar other) -> Tensor",
                                      {.doc = "What a floor division leaves, with b's sign."}),
    op<on<remainder, Scalar, Tensor>>("aten::remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                                      {.doc = "What a floor division leaves, with b's sign."}),
    op<on<fmod, Tensor, Tensor>>(
        "aten::fmod.Tensor(Tensor self, Tensor other) -> Tensor",
        {.doc = "What a division towards zero leaves, with a's sign.", .aliases = {"prims::fmod"}}),
    op<on<fmod, Tensor, Scalar>>("aten::fmod.Scalar(Tensor self, Scalar other) -> Tensor",
                                 {.doc = "What a division towards zero leaves, with a's sign."}),
    op<on<pow, Tensor, Tensor>, complex_pow<Tensor, Tensor>>(
        "aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", {.doc = "a to the power of b."}),
    op<on<pow, Tensor, Tensor>, complex_pow<Tensor, Tensor>>(
        "prims::pow(Tensor self, Tensor other) -> Tensor", {.doc = "a to the power of b."}),
    op<prim_div, on_complex<complex_quotient, Tensor, Tensor>>(
        "prims::div(Tensor self, Tensor other) -> Tensor",
        {.doc = "a / b; of integers, rounded towards zero."}),
    op<cbrt>("prims::cbrt(Tensor self) -> Tensor", {.doc = "The cube root."}),
    op<on<pow, Tensor, Scalar>, complex_pow<Tensor, Scalar>>(
        "aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", {.doc = "a to the power of b."}),
    op<on<pow, Scalar, Tensor>, complex_pow<Scalar, Tensor>>(
        "aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor", {.doc = "a to the power of b."}),
    op<on<float_power, Tensor, Tensor>, complex_float_power<Tensor, Tensor>>(
        "aten::float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
        {.doc = "a to the power of b, in f64."}),
    op<on<float_power, Tensor, Scalar>, complex_float_power<Tensor, Scalar>>(
        "aten::float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
        {.doc = "a to the power of b, in f64."}),
    op<on<float_power, Scalar, Tensor>, complex_float_power<Scalar, Tensor>>(
        "aten::float_power.Scalar(Scalar self, Tensor exponent) -> Tensor",
        {.doc = "a to the power of b, in f64."}),
    op<neg>("aten::neg(Tensor self) -> Tensor",
            {.doc = "-a.",
             .complex = OnComplex::by_parts,
             .aliases = {"aten::negative", "aten::_neg_view_copy", "prims::neg"}}),
    op<square, of_complex<complex_square>>("aten::square(Tensor self) -> Tensor", {.doc = "a a."}),
    op<addcmul, addcmul_complex>(
        "aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
        {.doc = "a + value b c."}),
    op<addcdiv, addcdiv_complex>(
        "aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
        {.doc = "a + value b / c."}),
    op<interpolate<Scalar>>("aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor",
                            {.doc = "a + weight (b - a)."}),
    op<interpolate<Tensor>>("aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor",
                            {.doc = "a + weight (b - a)."}),
    op<larger>("aten::maximum(Tensor self, Tensor other) -> Tensor",
               {.doc = "The larger element; NaN wins.", .aliases = {"aten::max.other", "prims::maximum"}}),
    op<smaller>("aten::minimum(Tensor self, Tensor other) -> Tensor",
                {.doc = "The smaller element; NaN wins.", .aliases = {"aten::min.other", "prims::minimum"}}),
    op<unless_nan<maximum>>("aten::fmax(Tensor self, Tensor other) -> Tensor",
                            {.doc = "The larger element; NaN loses.", .aliases = {"prims::fmax"}}),
    op<unless_nan<minimum>>("aten::fmin(Tensor self, Tensor other) -> Tensor",
                            {.doc = "The smaller element; NaN loses.", .aliases = {"prims::fmin"}}),
    op<clamp>("aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
              {.doc = "Limits each element to [min, max]; an absent bound is open.",
               .quantized = OnQuantized::requantized,
               .aliases = {"aten::clip"},
               .sample = "min=-0.5, max=0.5"}),
    op<clamp_tensor>("aten::clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
                     {.doc = "Limits each element to bounds of its own.",
                      .quantized = OnQuantized::requantized,
                      .aliases = {"aten::clip.Tensor"},
                      .sample = "min=f32[batch,6,height,width], max=f32[batch,6,height,width]"}),
    op<clamp_min>("aten::clamp_min(Tensor self, Scalar min) -> Tensor",
                  {.doc = "Limits each element from below."}),
    op<larger>("aten::clamp_min.Tensor(Tensor self, Tensor min) -> Tensor",
               {.doc = "Limits each element from below."}),
    op<clamp_max>("aten::clamp_max(Tensor self, Scalar max) -> Tensor",
                  {.doc = "Limits each element from above."}),
    op<smaller>("aten::clamp_max.Tensor(Tensor self, Tensor max) -> Tensor",
                {.doc = "Limits each element from above."}),
    op<atan2>("aten::atan2(Tensor self, Tensor other) -> Tensor",
              {.doc = "The angle of the point (b, a).", .aliases = {"aten::arctan2", "prims::atan2"}}),
    op<hypot>("aten::hypot(Tensor self, Tensor other) -> Tensor",
              {.doc = "sqrt(a a + b b).", .aliases = {"prims::hypot"}}),
    op<on<copysign, Tensor, Tensor>>("aten::copysign.Tensor(Tensor self, Tensor other) -> Tensor",
                                     {.doc = "a with b's sign."}),
    op<on<copysign, Tensor, Scalar>>("aten::copysign.Scalar(Tensor self, Scalar other) -> Tensor",
                                     {.doc = "a with b's sign."}),
    op<heaviside>("aten::heaviside(Tensor self, Tensor values) -> Tensor",
                  {.doc = "0 below 0, 1 above, and the values given at 0."}),
    op<on<xlogy, Tensor, Tensor>>("aten::xlogy.Tensor(Tensor self, Tensor other) -> Tensor",
                                  {.doc = "a log(b), 0 where a is 0.", .aliases = {"aten::special_xlogy"}}),
    op<on<xlogy, Tensor, Scalar>>(
        "aten::xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor",
        {.doc = "a log(b), 0 where a is 0.", .aliases = {"aten::special_xlogy.other_scalar"}}),
    op<on<xlogy, Scalar, Tensor>>(
        "aten::xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor",
        {.doc = "a log(b), 0 where a is 0.", .aliases = {"aten::special_xlogy.self_scalar"}}),
    op<logaddexp>("aten::logaddexp(Tensor self, Tensor other) -> Tensor", {.doc = "log(exp(a) + exp(b))."}),
    op<logaddexp2>("aten::logaddexp2(Tensor self, Tensor other) -> Tensor", {.doc = "log2(2^a + 2^b)."}),
};

}  // namespace

std::span<const Declaration> arithmetic_ops() { return kArithmetic; }

}  // namespace cameo::aten
