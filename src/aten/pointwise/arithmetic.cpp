// Arithmetic of two operands and more.
#include <cmath>
#include <numbers>

#include "aten/elementwise.h"
#include "aten/families.h"

namespace cameo::aten {
namespace {

using onnx::Value;

Value* product(Emit& e, Value* a, Value* b) {
  return a->dtype() == DType::boolean ? e.op("And", {a, b}) : e.op("Mul", {a, b});
}

Value* times_alpha(Emit& e, Value* x, const Scalar& alpha) {
  if (alpha.known() == 1.0) return x;
  if (alpha.is_float() && !is_floating(x->dtype()))
    throw ProgramError("'alpha' must be an integer for integer tensors");
  return product(e, x, as(e, alpha, x->dtype()));
}

Tensor sum(Emit& e, const Operand& self, const Operand& other, const Scalar& alpha) {
  auto [a, b] = operands(e, self, other);
  b = times_alpha(e, b, alpha);
  return a->dtype() == DType::boolean ? e.op("Or", {a, b}) : e.op("Add", {a, b});
}

Tensor difference(Emit& e, const Operand& self, const Operand& other, const Scalar& alpha) {
  auto [a, b] = operands(e, self, other);
  if (a->dtype() == DType::boolean) throw ProgramError("subtraction of booleans is not supported");
  return e.op("Sub", {a, times_alpha(e, b, alpha)});
}

template <class Other>
Tensor add(Emit& e, Tensor self, Other other, Scalar alpha) {
  return sum(e, self, other, alpha);
}
Tensor add_to_number(Emit& e, Scalar self, Tensor other, Scalar alpha) { return sum(e, self, other, alpha); }
template <class Other>
Tensor sub(Emit& e, Tensor self, Other other, Scalar alpha) {
  return difference(e, self, other, alpha);
}
Tensor sub_from_number(Emit& e, Scalar self, Tensor other, Scalar alpha) {
  return difference(e, self, other, alpha);
}
template <class Other>
Tensor rsub(Emit& e, Tensor self, Other other, Scalar alpha) {
  return difference(e, other, self, alpha);
}

Tensor mul(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  return product(e, a, b);
}

Tensor div(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = float_operands(e, self, other);
  return e.op("Div", {a, b});
}

// Where a remainder of C's fmod has the sign that Python's would not have.
Value* wrong_sign(Emit& e, Value* rest, Value* divisor) {
  const std::optional<double> known = known_number(divisor);
  if (known && *known != 0) return e.op(*known > 0 ? "Less" : "Greater", {rest, like(e, rest, 0)});
  Value* signs = e.op("Mul", {e.op("Sign", {rest}), e.op("Sign", {divisor})});
  return e.op("Less", {signs, like(e, rest, 0)});
}

Value* c_remainder(Emit& e, Value* a, Value* b) { return e.op("Mod", {a, b}, {{"fmod", std::int64_t{1}}}); }

bool is_power_of_two(double number) {
  int exponent = 0;
  return std::abs(std::frexp(number, &exponent)) == 0.5 && std::abs(exponent) < 14;
}

// The quotient itself may round up to an integer that it does not reach: 1 // 0.1 is 9. The multiple of b
// below a is exact.
Value* floor_of_quotient(Emit& e, Value* a, Value* b) {
  const std::optional<double> known = known_number(b);
  if (known && is_power_of_two(*known)) return e.op("Floor", {e.op("Div", {a, b})});
  Value* rest = c_remainder(e, a, b);
  Value* towards_zero = e.op("Round", {e.op("Div", {e.op("Sub", {a, rest}), b})});
  Value* floor = e.op("Sub", {towards_zero, e.cast(wrong_sign(e, rest, b), a->dtype())});
  if (known && *known != 0) return floor;
  return e.op("Where", {e.op("Equal", {b, like(e, b, 0)}), e.op("Div", {a, b}), floor});
}

Tensor floor_divide(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  if (a->dtype() == DType::boolean) throw ProgramError("floor division of booleans is not supported");
  if (is_floating(a->dtype())) return floor_of_quotient(e, a, b);
  if (a->dtype() == DType::u8) return e.op("Div", {a, b});
  if (known_number(b) == 1.0) return a;
  return e.op("Div", {e.op("Sub", {a, e.op("Mod", {a, b})}), b});
}

Tensor divide(Emit& e, const Operand& self, const Operand& other, const std::optional<std::string>& mode) {
  if (!mode) return div(e, self, other);
  if (*mode == "floor") return floor_divide(e, self, other);
  if (*mode != "trunc") throw ProgramError("'rounding_mode' must be None, 'trunc' or 'floor'");
  auto [a, b] = operands(e, self, other);
  Value* quotient = e.op("Div", {a, b});
  return is_floating(a->dtype()) ? truncated(e, quotient) : quotient;
}
template <class Other>
Tensor div_mode(Emit& e, Tensor self, Other other, std::optional<std::string> mode) {
  return divide(e, self, other, mode);
}

Tensor remainder(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  if (!is_floating(a->dtype())) return e.op("Mod", {a, b});
  Value* rest = c_remainder(e, a, b);
  return e.op("Where", {wrong_sign(e, rest, b), e.op("Add", {rest, b}), rest});
}

Tensor fmod(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  return c_remainder(e, a, b);
}

// By squaring: exact, and wrapping as integers do.
Value* integer_power(Emit& e, Value* x, std::int64_t exponent) {
  if (exponent == 0) return filled_like(e, e.scalar(x->dtype(), std::int64_t{1}), x);
  Value* result = nullptr;
  for (Value* square = x;; square = e.op("Mul", {square, square})) {
    if (exponent & 1) result = result ? e.op("Mul", {result, square}) : square;
    if ((exponent >>= 1) == 0) return result;
  }
}

// Of integers: x to a negative power is 1/x, which is zero but for 1 and -1.
Value* integer_powers(Emit& e, Value* x, Value* y) {
  Value *zero = e.scalar(x->dtype(), std::int64_t{0}), *one = e.scalar(x->dtype(), std::int64_t{1});
  Value* power = compute(e, "Pow", {x, compute(e, "Abs", {y})});
  Value* unit = compute(e, "Equal", {compute(e, "Abs", {x}), one});
  Value* inverse = e.op("Where", {unit, power, zero});
  return e.op("Where", {compute(e, "Less", {y, zero}), inverse, power});
}

Tensor pow(Emit& e, const Operand& self, const Operand& exponent) {
  auto [x, y] = operands(e, self, exponent);
  const std::optional<double> known = known_number(y);
  if (is_floating(x->dtype())) {
    if (known == 1.0) return x;
    if (known == 0.5) return e.op("Sqrt", {x});
    if (known == -1.0) return e.op("Reciprocal", {x});
    return compute(e, "Pow", {x, y});
  }
  if (x->dtype() == DType::boolean) throw ProgramError("powers of booleans are not supported");
  if (!known) return integer_powers(e, x, y);
  if (*known < 0) throw ProgramError("integers to negative integer powers are not allowed");
  return integer_power(e, x, static_cast<std::int64_t>(*known));
}

Tensor float_power(Emit& e, const Operand& self, const Operand& exponent) {
  return e.op("Pow", {as(e, self, DType::f64), as(e, exponent, DType::f64)});
}

Tensor neg(Emit& e, Tensor self) {
  if (self.dtype() == DType::boolean) throw ProgramError("negation of booleans is not supported");
  return compute(e, "Neg", {self});
}
Tensor square(Emit& e, Tensor self) {
  const Tensor number = self.dtype() == DType::boolean ? Tensor(e.cast(self, DType::i64)) : self;
  return mul(e, number, number);
}

Tensor addcmul(Emit& e, Tensor self, Tensor tensor1, Tensor tensor2, Scalar value) {
  const DType dtype = result_type({self, tensor1, tensor2});
  if (const double* given = std::get_if<double>(&value.value); given && !is_floating(dtype))
    value.value = Dim(static_cast<std::int64_t>(*given));
  Value* factor = times_alpha(e, e.cast(tensor1, dtype), value);
  return e.op("Add", {e.cast(self, dtype), e.op("Mul", {factor, e.cast(tensor2, dtype)})});
}
Tensor addcdiv(Emit& e, Tensor self, Tensor tensor1, Tensor tensor2, Scalar value) {
  const DType dtype = result_type({self, tensor1, tensor2});
  if (!is_floating(dtype)) throw ProgramError("integers are not supported");
  Value* numerator = times_alpha(e, e.cast(tensor1, dtype), value);
  return e.op("Add", {e.cast(self, dtype), e.op("Div", {numerator, e.cast(tensor2, dtype)})});
}

template <class Weight>
Tensor interpolate(Emit& e, Tensor self, Tensor end, Weight weight) {
  auto [a, b] = operands(e, self, end);
  return lerp(e, a, b, as(e, Operand(weight), a->dtype()));
}

Tensor larger(Emit& e, Tensor self, Tensor other) {
  auto [a, b] = operands(e, self, other);
  return maximum(e, a, b);
}
Tensor smaller(Emit& e, Tensor self, Tensor other) {
  auto [a, b] = operands(e, self, other);
  return minimum(e, a, b);
}

// The other one where one is NaN.
template <Value* (*Choose)(Emit&, Value*, Value*)>
Tensor unless_nan(Emit& e, Tensor self, Tensor other) {
  auto [a, b] = operands(e, self, other);
  if (!is_floating(a->dtype())) return Choose(e, a, b);
  Value* chosen = e.op("Where", {e.op("IsNaN", {b}), a, Choose(e, a, b)});
  return e.op("Where", {e.op("IsNaN", {a}), b, chosen});
}

Tensor clamp(Emit& e, Tensor self, std::optional<Scalar> min, std::optional<Scalar> max) {
  if (!min && !max) throw ProgramError("at least one of 'min' and 'max' must be given");
  std::vector<Operand> all{self};
  if (min) all.push_back(*min);
  if (max) all.push_back(*max);
  const DType dtype = result_type(all);
  return compute(
      e, "Clip",
      {e.cast(self, dtype), min ? as(e, *min, dtype) : nullptr, max ? as(e, *max, dtype) : nullptr});
}

Tensor clamp_tensor(Emit& e, Tensor self, std::optional<Tensor> min, std::optional<Tensor> max) {
  if (!min && !max) throw ProgramError("at least one of 'min' and 'max' must be given");
  std::vector<Operand> all{self};
  if (min) all.push_back(*min);
  if (max) all.push_back(*max);
  const DType dtype = result_type(all);
  Value* x = e.cast(self, dtype);
  if (min) x = maximum(e, x, e.cast(*min, dtype));
  if (max) x = minimum(e, x, e.cast(*max, dtype));
  return x;
}
Tensor clamp_min(Emit& e, Tensor self, Scalar min) { return clamp(e, self, min, std::nullopt); }
Tensor clamp_max(Emit& e, Tensor self, Scalar max) { return clamp(e, self, std::nullopt, max); }

// By the angle in the first quadrant, turned into the right one.
Tensor atan2(Emit& e, Tensor self, Tensor other) {
  auto [y, x] = float_operands(e, self, other);
  Value* zero = like(e, x, 0);
  Value* steep = atan(e, e.op("Abs", {e.op("Div", {y, x})}));
  Value* angle = e.op("Where", {e.op("Equal", {y, zero}), zero, steep});
  Value* left = e.op("Sub", {like(e, x, std::numbers::pi), angle});
  Value* upper = e.op("Where", {e.op("Less", {x, zero}), left, angle});
  return e.op("Where", {has_sign(e, y), e.op("Neg", {upper}), upper});
}

Tensor hypot(Emit& e, Tensor self, Tensor other) {
  auto [a, b] = operands(e, self, other);
  return e.op("Sqrt", {e.op("Add", {e.op("Mul", {a, a}), e.op("Mul", {b, b})})});
}

Tensor copysign(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = float_operands(e, self, other);
  Value* size = e.op("Abs", {a});
  return e.op("Where", {has_sign(e, b), e.op("Neg", {size}), size});
}

Tensor heaviside(Emit& e, Tensor self, Tensor values) {
  auto [x, at_zero] = operands(e, self, values);
  Value* zero = like(e, x, 0);
  Value* step = e.cast(compute(e, "Greater", {x, zero}), x->dtype());
  return compute(e, "Where", {e.op("Equal", {x, zero}), at_zero, step});
}

// 0 where the factor is 0, whatever the logarithm.
Value* times_log(Emit& e, Value* x, Value* y, Value* log) {
  Value* product = e.op("Mul", {x, log});
  if (std::optional<double> known = known_number(x); known && *known != 0) return product;
  Value* zero = like(e, x, 0);
  Value* vanishes = e.op("And", {e.op("Equal", {x, zero}), e.op("Not", {e.op("IsNaN", {y})})});
  return e.op("Where", {vanishes, zero, product});
}
Tensor xlogy(Emit& e, const Operand& self, const Operand& other) {
  auto [x, y] = float_operands(e, self, other);
  return times_log(e, x, y, e.op("Log", {y}));
}

// max(a, b) + log(1 + exp(-|a - b|)); equal infinities have no difference.
Value* log_of_sum(Emit& e, Value* a, Value* b, double log_of_base) {
  Value* apart = e.op("Where", {e.op("Equal", {a, b}), like(e, a, 0), e.op("Sub", {a, b})});
  Value* below = e.op("Neg", {e.op("Abs", {apart})});
  if (log_of_base == 1) return e.op("Add", {maximum(e, a, b), softplus(e, below)});
  Value* unit = like(e, a, log_of_base);
  return e.op("Add", {maximum(e, a, b), e.op("Div", {softplus(e, e.op("Mul", {below, unit})), unit})});
}
Tensor logaddexp(Emit& e, Tensor self, Tensor other) {
  auto [a, b] = operands(e, self, other);
  return log_of_sum(e, a, b, 1);
}
Tensor logaddexp2(Emit& e, Tensor self, Tensor other) {
  auto [a, b] = operands(e, self, other);
  return log_of_sum(e, a, b, std::numbers::ln2);
}

constexpr Declaration kArithmetic[] = {
    op<add<Tensor>>("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                    {.doc = "a + alpha b.", .literal_as_number = true}),
    op<add<Scalar>>("aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
                    {.doc = "a + alpha b."}),
    op<add_to_number>("aten::add.Scalar_Tensor(Scalar self, Tensor other, *, Scalar alpha=1) -> Tensor",
                      {.doc = "a + alpha b."}),
    op<sub<Tensor>>("aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                    {.doc = "a - alpha b.", .aliases = {"aten::subtract.Tensor"}, .literal_as_number = true}),
    op<sub<Scalar>>("aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
                    {.doc = "a - alpha b.", .aliases = {"aten::subtract.Scalar"}}),
    op<sub_from_number>("aten::sub.Scalar_Tensor(Scalar self, Tensor other, *, Scalar alpha=1) -> Tensor",
                        {.doc = "a - alpha b."}),
    op<rsub<Tensor>>("aten::rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                     {.doc = "b - alpha a."}),
    op<rsub<Scalar>>("aten::rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
                     {.doc = "b - alpha a."}),
    op<on<mul, Tensor, Tensor>>(
        "aten::mul.Tensor(Tensor self, Tensor other) -> Tensor",
        {.doc = "a b.", .aliases = {"aten::multiply.Tensor"}, .literal_as_number = true}),
    op<on<mul, Tensor, Scalar>>("aten::mul.Scalar(Tensor self, Scalar other) -> Tensor",
                                {.doc = "a b.", .aliases = {"aten::multiply.Scalar"}}),
    op<on<mul, Scalar, Tensor>>("aten::mul.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                                {.doc = "a b."}),
    op<on<div, Tensor, Tensor>>("aten::div.Tensor(Tensor self, Tensor other) -> Tensor",
                                {.doc = "a / b; integers become floats.",
                                 .aliases = {"aten::divide.Tensor"},
                                 .literal_as_number = true,
                                 .older = {.until = 4, .form = OldForm::integer_division}}),
    op<on<div, Tensor, Scalar>>("aten::div.Scalar(Tensor self, Scalar other) -> Tensor",
                                {.doc = "a / b; integers become floats.",
                                 .aliases = {"aten::divide.Scalar"},
                                 .older = {.until = 4, .form = OldForm::integer_division}}),
    op<on<div, Scalar, Tensor>>(
        "aten::div.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
        {.doc = "a / b; integers become floats.", .older = {.until = 4, .form = OldForm::integer_division}}),
    op<div_mode<Tensor>>(
        "aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
        {.doc = "a / b, rounded down or towards zero.", .aliases = {"aten::divide.Tensor_mode"}}),
    op<div_mode<Scalar>>(
        "aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
        {.doc = "a / b, rounded down or towards zero.", .aliases = {"aten::divide.Scalar_mode"}}),
    op<on<div, Tensor, Tensor>>("aten::true_divide.Tensor(Tensor self, Tensor other) -> Tensor",
                                {.doc = "a / b; integers become floats.", .literal_as_number = true}),
    op<on<div, Tensor, Scalar>>("aten::true_divide.Scalar(Tensor self, Scalar other) -> Tensor",
                                {.doc = "a / b; integers become floats."}),
    op<on<floor_divide, Tensor, Tensor>>("aten::floor_divide(Tensor self, Tensor other) -> Tensor",
                                         {.doc = "a / b, rounded down."}),
    op<on<floor_divide, Tensor, Scalar>>("aten::floor_divide.Scalar(Tensor self, Scalar other) -> Tensor",
                                         {.doc = "a / b, rounded down."}),
    op<on<remainder, Tensor, Tensor>>("aten::remainder.Tensor(Tensor self, Tensor other) -> Tensor",
                                      {.doc = "What a floor division leaves, with b's sign."}),
    op<on<remainder, Tensor, Scalar>>("aten::remainder.Scalar(Tensor self, Scalar other) -> Tensor",
                                      {.doc = "What a floor division leaves, with b's sign."}),
    op<on<remainder, Scalar, Tensor>>("aten::remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                                      {.doc = "What a floor division leaves, with b's sign."}),
    op<on<fmod, Tensor, Tensor>>("aten::fmod.Tensor(Tensor self, Tensor other) -> Tensor",
                                 {.doc = "What a division towards zero leaves, with a's sign."}),
    op<on<fmod, Tensor, Scalar>>("aten::fmod.Scalar(Tensor self, Scalar other) -> Tensor",
                                 {.doc = "What a division towards zero leaves, with a's sign."}),
    op<on<pow, Tensor, Tensor>>("aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
                                {.doc = "a to the power of b."}),
    op<on<pow, Tensor, Scalar>>("aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
                                {.doc = "a to the power of b."}),
    op<on<pow, Scalar, Tensor>>("aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor",
                                {.doc = "a to the power of b."}),
    op<on<float_power, Tensor, Tensor>>(
        "aten::float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
        {.doc = "a to the power of b, in f64."}),
    op<on<float_power, Tensor, Scalar>>(
        "aten::float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
        {.doc = "a to the power of b, in f64."}),
    op<on<float_power, Scalar, Tensor>>("aten::float_power.Scalar(Scalar self, Tensor exponent) -> Tensor",
                                        {.doc = "a to the power of b, in f64."}),
    op<neg>("aten::neg(Tensor self) -> Tensor", {.doc = "-a.", .aliases = {"aten::negative"}}),
    op<square>("aten::square(Tensor self) -> Tensor", {.doc = "a a."}),
    op<addcmul>("aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
                {.doc = "a + value b c."}),
    op<addcdiv>("aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
                {.doc = "a + value b / c."}),
    op<interpolate<Scalar>>("aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor",
                            {.doc = "a + weight (b - a)."}),
    op<interpolate<Tensor>>("aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor",
                            {.doc = "a + weight (b - a)."}),
    op<larger>("aten::maximum(Tensor self, Tensor other) -> Tensor",
               {.doc = "The larger element; NaN wins.", .aliases = {"aten::max.other"}}),
    op<smaller>("aten::minimum(Tensor self, Tensor other) -> Tensor",
                {.doc = "The smaller element; NaN wins.", .aliases = {"aten::min.other"}}),
    op<unless_nan<maximum>>("aten::fmax(Tensor self, Tensor other) -> Tensor",
                            {.doc = "The larger element; NaN loses."}),
    op<unless_nan<minimum>>("aten::fmin(Tensor self, Tensor other) -> Tensor",
                            {.doc = "The smaller element; NaN loses."}),
    op<clamp>("aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
              {.doc = "Limits each element to [min, max]; an absent bound is open.",
               .aliases = {"aten::clip"},
               .sample = "min=-0.5, max=0.5"}),
    op<clamp_tensor>("aten::clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
                     {.doc = "Limits each element to bounds of its own.",
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
              {.doc = "The angle of the point (b, a).", .aliases = {"aten::arctan2"}}),
    op<hypot>("aten::hypot(Tensor self, Tensor other) -> Tensor", {.doc = "sqrt(a a + b b)."}),
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
