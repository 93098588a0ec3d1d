// Functions of one tensor, element by element.
#include <cmath>
#include <limits>
#include <numbers>

#include "aten/complex.h"
#include "aten/elementwise.h"
#include "aten/families.h"

namespace cameo::aten {
namespace {

// A function that ONNX has for floats.
template <OpName kOp>
Expr of_floats(Emit& e, Expr self) {
  return compute(e, kOp.text, {floats(self)});
}

// A rounding: integers stay.
template <OpName kOp>
Expr rounding(Emit& e, Expr self) {
  return is_whole(self) ? self : Expr(e.op(kOp.text, {self}));
}

// Functions that runtimes have for f32 only.
template <OpName kOp, Expr (*Wide)(Emit&, Expr)>
Expr unless_wide(Emit& e, Expr self) {
  return self.dtype() == DType::f64 ? Wide(e, self) : of_floats<kOp>(e, self);
}

Expr wide_tan(Emit&, Expr x) { return sin(x) / cos(x); }
Expr wide_sinh(Emit&, Expr x) { return (exp(x) - exp(-x)) * 0.5; }
Expr wide_cosh(Emit&, Expr x) { return (exp(x) + exp(-x)) * 0.5; }
Expr wide_asinh(Emit&, Expr x) { return sign(x) * log(abs(x) + sqrt(x * x + 1)); }
Expr wide_acosh(Emit&, Expr x) { return log(x + sqrt(x * x - 1)); }
Expr wide_atanh(Emit&, Expr x) { return log((x + 1) / (1 - x)) * 0.5; }

// The other one of sine and cosine, of an angle between the axes.
Expr other_leg(Expr x) { return sqrt((1 - x) * (1 + x)); }
Expr wide_asin(Emit& e, Expr x) { return angle_near(compute(e, "Asin", {x}), x, other_leg(x)); }
Expr wide_acos(Emit& e, Expr x) { return angle_near(compute(e, "Acos", {x}), other_leg(x), x); }
Expr atan_of(Emit&, Expr self) { return atan(floats(self)); }

Expr magnitude(Emit& e, Tensor self) { return abs(parts_of(e, self)); }
Complex complex_exp2(const Complex& x) { return exp(times(x, std::numbers::ln2)); }
Complex complex_rsqrt(const Complex& x) { return reciprocal(sqrt(x)); }
Complex complex_sigmoid(const Complex& x) { return reciprocal(Complex{x.real.number(1), nullptr} + exp(-x)); }
template <int kBase>
Complex complex_log_of(const Complex& x) {
  return times(log(x), 1 / std::log(kBase));
}

Expr abs(Emit&, Expr self) { return self.dtype() == DType::boolean ? self : abs(self); }

Expr exp2(Emit&, Expr self) {
  const Expr x = floats(self);
  return power(2, x);
}

DType wider(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16 ? DType::f32 : DType::f64; }

// Near 0 the exponential loses the digits that count: it is computed in the wider dtype.
Expr expm1(Emit&, Expr self) {
  const Expr x = floats(self);
  return cast(exp(cast(x, wider(x.dtype()))) - 1, x->dtype());
}
Expr log1p(Emit&, Expr self) {
  const Expr x = floats(self);
  return cast(log(cast(x, wider(x.dtype())) + 1), x->dtype());
}

template <int kBase>
Expr log_of(Emit&, Expr self) {
  const Expr x = floats(self);
  return log(x) / std::log(kBase);
}

Expr rsqrt(Emit&, Expr self) { return reciprocal(sqrt(floats(self))); }

Expr erfc(Emit& e, Expr self) {
  const Expr x = floats(self);
  return 1 - compute(e, "Erf", {x});
}

Expr trunc(Emit&, Expr self) { return is_whole(self) ? self : truncated(self); }

Expr frac(Emit&, Expr self) {
  if (is_whole(self)) throw ProgramError("integers are not supported");
  return fmod(self, self.number(1));
}

Expr round_decimals(Emit& e, Expr self, std::int64_t decimals) {
  if (is_whole(self)) return self;
  if (decimals == 0) return round(self);
  const Expr power = self.number(std::pow(10.0, static_cast<double>(std::abs(decimals))));
  const Expr scaled = e.op(decimals > 0 ? "Mul" : "Div", {self, power});
  return e.op(decimals > 0 ? "Div" : "Mul", {round(scaled), power});
}

Expr sign(Emit&, Expr self) { return self.dtype() == DType::boolean ? self : sign(self); }

Expr signbit(Emit&, Expr self) { return has_sign(self); }

Expr logit(Emit&, Expr self, std::optional<double> eps) {
  Expr x = floats(self);
  // Above 1/2 the bounds are exchanged, and PyTorch compares with the lower one first.
  if (eps && *eps > 0.5)
    x = where(x < *eps, *eps, where(x > 1 - *eps, 1 - *eps, x));
  else if (eps)
    x = clip(x, *eps, 1 - *eps);
  return log(x / (1 - x));
}

Expr deg2rad(Emit&, Expr self) { return floats(self) * (std::numbers::pi / 180); }
Expr rad2deg(Emit&, Expr self) { return floats(self) * (180 / std::numbers::pi); }

double largest(DType dtype) {
  switch (dtype) {
    case DType::f16: return 65504;
    case DType::bf16: return 0x1.fep127;
    case DType::f32: return std::numeric_limits<float>::max();
    default: return std::numeric_limits<double>::max();
  }
}

Expr nan_to_num(Emit& e, Expr self, std::optional<double> nan, std::optional<double> posinf,
                std::optional<double> neginf) {
  if (is_whole(self)) return self;
  Expr x = where(is_nan(self), nan.value_or(0), self);
  if (!posinf && !neginf) {
    const double limit = largest(self.dtype());
    return clip(x, -limit, limit);
  }
  const Expr above = e.op("IsInf", {self}, {{"detect_negative", std::int64_t{0}}});
  const Expr below = e.op("IsInf", {self}, {{"detect_positive", std::int64_t{0}}});
  x = where(above, posinf.value_or(largest(self.dtype())), x);
  return where(below, neginf.value_or(-largest(self.dtype())), x);
}

Expr sinc(Emit&, Expr self) {
  const Expr x = floats(self);
  const Expr angle = x * std::numbers::pi;
  const Expr ratio = sin(angle) / angle;
  return where(equal(x, 0), 1, ratio);
}

Expr positive(Emit&, Expr self) { return self; }

constexpr Declaration kUnary[] = {
    op<abs, magnitude>("aten::abs(Tensor self) -> Tensor",
                       {.doc = "The absolute value.", .aliases = {"aten::absolute", "prims::abs"}}),
    op<of_floats<"Exp">, of_complex<exp>>("aten::exp(Tensor self) -> Tensor",
                                          {.doc = "e to the power of x.", .aliases = {"prims::exp"}}),
    op<exp2, of_complex<complex_exp2>>(
        "aten::exp2(Tensor self) -> Tensor",
        {.doc = "2 to the power of x.", .aliases = {"aten::special_exp2", "prims::exp2"}}),
    op<expm1>("aten::expm1(Tensor self) -> Tensor",
              {.doc = "exp(x) - 1, exact near 0.", .aliases = {"aten::special_expm1", "prims::expm1"}}),
    op<of_floats<"Log">, of_complex<log>>("aten::log(Tensor self) -> Tensor",
                                          {.doc = "The natural logarithm.", .aliases = {"prims::log"}}),
    op<log_of<2>, of_complex<complex_log_of<2>>>(
        "aten::log2(Tensor self) -> Tensor", {.doc = "The logarithm to base 2.", .aliases = {"prims::log2"}}),
    op<log_of<10>, of_complex<complex_log_of<10>>>(
        "aten::log10(Tensor self) -> Tensor",
        {.doc = "The logarithm to base 10.", .aliases = {"prims::log10"}}),
    op<log1p>("aten::log1p(Tensor self) -> Tensor",
              {.doc = "log(1 + x), exact near 0.", .aliases = {"aten::special_log1p", "prims::log1p"}}),
    op<of_floats<"Sqrt">, of_complex<sqrt>>("aten::sqrt(Tensor self) -> Tensor",
                                            {.doc = "The square root.", .aliases = {"prims::sqrt"}}),
    op<rsqrt, of_complex<complex_rsqrt>>("aten::rsqrt(Tensor self) -> Tensor",
                                         {.doc = "1 / sqrt(x).", .aliases = {"prims::rsqrt"}}),
    op<of_floats<"Sin">, of_complex<sin>>("aten::sin(Tensor self) -> Tensor",
                                          {.doc = "The sine.", .aliases = {"prims::sin"}}),
    op<of_floats<"Cos">, of_complex<cos>>("aten::cos(Tensor self) -> Tensor",
                                          {.doc = "The cosine.", .aliases = {"prims::cos"}}),
    op<unless_wide<"Tan", wide_tan>, of_complex<tan>>("aten::tan(Tensor self) -> Tensor",
                                                      {.doc = "The tangent.", .aliases = {"prims::tan"}}),
    op<unless_wide<"Asin", wide_asin>>(
        "aten::asin(Tensor self) -> Tensor",
        {.doc = "The inverse sine.", .aliases = {"aten::arcsin", "prims::asin"}}),
    op<unless_wide<"Acos", wide_acos>>(
        "aten::acos(Tensor self) -> Tensor",
        {.doc = "The inverse cosine.", .aliases = {"aten::arccos", "prims::acos"}}),
    op<atan_of>("aten::atan(Tensor self) -> Tensor",
                {.doc = "The inverse tangent.", .aliases = {"aten::arctan", "prims::atan"}}),
    op<unless_wide<"Sinh", wide_sinh>, of_complex<sinh>>(
        "aten::sinh(Tensor self) -> Tensor", {.doc = "The hyperbolic sine.", .aliases = {"prims::sinh"}}),
    op<unless_wide<"Cosh", wide_cosh>, of_complex<cosh>>(
        "aten::cosh(Tensor self) -> Tensor", {.doc = "The hyperbolic cosine.", .aliases = {"prims::cosh"}}),
    op<of_floats<"Tanh">, of_complex<tanh>>(
        "aten::tanh(Tensor self) -> Tensor",
        {.doc = "The hyperbolic tangent.", .quantized = OnQuantized::symmetric, .aliases = {"prims::tanh"}}),
    op<unless_wide<"Asinh", wide_asinh>>(
        "aten::asinh(Tensor self) -> Tensor",
        {.doc = "The inverse hyperbolic sine.", .aliases = {"aten::arcsinh", "prims::asinh"}}),
    op<unless_wide<"Acosh", wide_acosh>>(
        "aten::acosh(Tensor self) -> Tensor",
        {.doc = "The inverse hyperbolic cosine.", .aliases = {"aten::arccosh", "prims::acosh"}}),
    op<unless_wide<"Atanh", wide_atanh>>(
        "aten::atanh(Tensor self) -> Tensor",
        {.doc = "The inverse hyperbolic tangent.", .aliases = {"aten::arctanh", "prims::atanh"}}),
    op<of_floats<"Erf">>("aten::erf(Tensor self) -> Tensor",
                         {.doc = "The error function.", .aliases = {"aten::special_erf", "prims::erf"}}),
    op<erfc>("aten::erfc(Tensor self) -> Tensor",
             {.doc = "1 - erf(x).", .aliases = {"aten::special_erfc", "prims::erfc"}}),
    op<rounding<"Ceil">>("aten::ceil(Tensor self) -> Tensor",
                         {.doc = "Rounds up.", .aliases = {"prims::ceil"}}),
    op<rounding<"Floor">>("aten::floor(Tensor self) -> Tensor",
                          {.doc = "Rounds down.", .aliases = {"prims::floor"}}),
    op<rounding<"Round">>(
        "aten::round(Tensor self) -> Tensor",
        {.doc = "Rounds to the nearest integer, halves to the even one.", .aliases = {"prims::round"}}),
    op<round_decimals>("aten::round.decimals(Tensor self, *, int decimals) -> Tensor",
                       {.doc = "Rounds to a number of decimal places.", .sample = "decimals=2"}),
    op<round_decimals>("aten::special_round(Tensor self, *, int decimals=0) -> Tensor",
                       {.doc = "Rounds to a number of decimal places."}),
    op<trunc>("aten::trunc(Tensor self) -> Tensor",
              {.doc = "Rounds towards zero.", .aliases = {"aten::fix", "prims::trunc"}}),
    op<frac>("aten::frac(Tensor self) -> Tensor", {.doc = "What rounding towards zero takes away."}),
    op<sign, of_complex<unit>>("aten::sign(Tensor self) -> Tensor",
                               {.doc = "-1, 0 or 1.", .aliases = {"aten::sgn", "prims::sign"}}),
    op<signbit>("aten::signbit(Tensor self) -> Tensor", {.doc = "Where the sign is negative, -0 included.",
                                                         .aliases = {"prims::signbit"},
                                                         .result = Result::boolean}),
    op<of_floats<"Sigmoid">, of_complex<complex_sigmoid>>(
        "aten::sigmoid(Tensor self) -> Tensor",
        {.doc = "1 / (1 + exp(-x)).", .quantized = OnQuantized::unit, .aliases = {"aten::special_expit"}}),
    op<logit>("aten::logit(Tensor self, float? eps=None) -> Tensor",
              {.doc = "log(x / (1 - x)), x limited to [eps, 1 - eps].", .aliases = {"aten::special_logit"}}),
    op<of_floats<"Reciprocal">, of_complex<reciprocal>>("aten::reciprocal(Tensor self) -> Tensor",
                                                        {.doc = "1 / x.", .aliases = {"prims::reciprocal"}}),
    op<deg2rad>("aten::deg2rad(Tensor self) -> Tensor", {.doc = "Degrees as radians."}),
    op<rad2deg>("aten::rad2deg(Tensor self) -> Tensor", {.doc = "Radians as degrees."}),
    op<nan_to_num>("aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) "
                   "-> Tensor",
                   {.doc = "Numbers in place of NaN and infinities."}),
    op<sinc>("aten::sinc(Tensor self) -> Tensor",
             {.doc = "sin(pi x) / (pi x), 1 at 0.", .aliases = {"aten::special_sinc"}}),
    op<positive>(
        "aten::positive(Tensor(a) self) -> Tensor(a)",
        {.doc = "The tensor itself.", .complex = OnComplex::by_parts, .quantized = OnQuantized::integers}),
};

}  // namespace

std::span<const Declaration> unary_ops() { return kUnary; }

}  // namespace cameo::aten
