// Functions of one tensor, element by element.
#include <cmath>
#include <limits>
#include <numbers>

#include "aten/elementwise.h"
#include "aten/families.h"

namespace cameo::aten {
namespace {

using onnx::Value;

// A function that ONNX has for floats.
template <OpName kOp>
Tensor of_floats(Emit& e, Tensor self) {
  return compute(e, kOp.text, {floats(e, self)});
}

// A rounding: integers stay.
template <OpName kOp>
Tensor rounding(Emit& e, Tensor self) {
  return is_whole(self) ? self : Tensor(e.op(kOp.text, {self}));
}

// Functions that runtimes have for f32 only.
template <OpName kOp, Value* (*Wide)(Emit&, Value*)>
Tensor unless_wide(Emit& e, Tensor self) {
  return self.dtype() == DType::f64 ? Wide(e, self) : of_floats<kOp>(e, self).value;
}

Value* plus(Emit& e, Value* x, double term) { return e.op("Add", {x, like(e, x, term)}); }
Value* exp_of(Emit& e, Value* x) { return e.op("Exp", {x}); }
Value* exp_of_negative(Emit& e, Value* x) { return e.op("Exp", {e.op("Neg", {x})}); }

Value* wide_tan(Emit& e, Value* x) { return e.op("Div", {e.op("Sin", {x}), e.op("Cos", {x})}); }
Value* wide_sinh(Emit& e, Value* x) {
  return times(e, e.op("Sub", {exp_of(e, x), exp_of_negative(e, x)}), 0.5);
}
Value* wide_cosh(Emit& e, Value* x) {
  return times(e, e.op("Add", {exp_of(e, x), exp_of_negative(e, x)}), 0.5);
}
Value* wide_asinh(Emit& e, Value* x) {
  Value* size = e.op("Abs", {x});
  Value* root = e.op("Sqrt", {plus(e, e.op("Mul", {x, x}), 1)});
  return e.op("Mul", {e.op("Sign", {x}), e.op("Log", {e.op("Add", {size, root})})});
}
Value* wide_acosh(Emit& e, Value* x) {
  Value* root = e.op("Sqrt", {plus(e, e.op("Mul", {x, x}), -1)});
  return e.op("Log", {e.op("Add", {x, root})});
}
Value* wide_atanh(Emit& e, Value* x) {
  Value* ratio = e.op("Div", {plus(e, x, 1), e.op("Sub", {like(e, x, 1), x})});
  return times(e, e.op("Log", {ratio}), 0.5);
}

// The other one of sine and cosine, of an angle between the axes.
Value* other_leg(Emit& e, Value* x) {
  Value* one = like(e, x, 1);
  return e.op("Sqrt", {e.op("Mul", {e.op("Sub", {one, x}), e.op("Add", {one, x})})});
}
Value* wide_asin(Emit& e, Value* x) { return angle_near(e, compute(e, "Asin", {x}), x, other_leg(e, x)); }
Value* wide_acos(Emit& e, Value* x) { return angle_near(e, compute(e, "Acos", {x}), other_leg(e, x), x); }
Tensor atan_of(Emit& e, Tensor self) { return atan(e, floats(e, self)); }

Tensor abs(Emit& e, Tensor self) {
  return self.dtype() == DType::boolean ? self : Tensor(e.op("Abs", {self}));
}

Tensor exp2(Emit& e, Tensor self) {
  Value* x = floats(e, self);
  return e.op("Pow", {like(e, x, 2), x});
}

DType wider(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16 ? DType::f32 : DType::f64; }

// Near 0 the exponential loses the digits that count: it is computed in the wider dtype.
Tensor expm1(Emit& e, Tensor self) {
  Value* x = floats(e, self);
  return e.cast(plus(e, e.op("Exp", {e.cast(x, wider(x->dtype()))}), -1), x->dtype());
}
Tensor log1p(Emit& e, Tensor self) {
  Value* x = floats(e, self);
  return e.cast(e.op("Log", {plus(e, e.cast(x, wider(x->dtype())), 1)}), x->dtype());
}

template <int kBase>
Tensor log_of(Emit& e, Tensor self) {
  Value* x = floats(e, self);
  return e.op("Div", {e.op("Log", {x}), like(e, x, std::log(kBase))});
}

Tensor rsqrt(Emit& e, Tensor self) { return e.op("Reciprocal", {e.op("Sqrt", {floats(e, self)})}); }

Tensor erfc(Emit& e, Tensor self) {
  Value* x = floats(e, self);
  return e.op("Sub", {like(e, x, 1), compute(e, "Erf", {x})});
}

Tensor trunc(Emit& e, Tensor self) { return is_whole(self) ? self : Tensor(truncated(e, self)); }

Tensor frac(Emit& e, Tensor self) {
  if (is_whole(self)) throw ProgramError("integers are not supported");
  return e.op("Mod", {self, like(e, self, 1)}, {{"fmod", std::int64_t{1}}});
}

Tensor round_decimals(Emit& e, Tensor self, std::int64_t decimals) {
  if (is_whole(self)) return self;
  if (decimals == 0) return e.op("Round", {self});
  Value* power = like(e, self, std::pow(10.0, static_cast<double>(std::abs(decimals))));
  Value* scaled = e.op(decimals > 0 ? "Mul" : "Div", {self, power});
  return e.op(decimals > 0 ? "Div" : "Mul", {e.op("Round", {scaled}), power});
}

Tensor sign(Emit& e, Tensor self) {
  return self.dtype() == DType::boolean ? self : Tensor(e.op("Sign", {self}));
}

Tensor signbit(Emit& e, Tensor self) { return has_sign(e, self); }

Tensor logit(Emit& e, Tensor self, std::optional<double> eps) {
  Value* x = floats(e, self);
  if (eps) x = e.op("Clip", {x, like(e, x, *eps), like(e, x, 1 - *eps)});
  return e.op("Log", {e.op("Div", {x, e.op("Sub", {like(e, x, 1), x})})});
}

Tensor deg2rad(Emit& e, Tensor self) { return times(e, floats(e, self), std::numbers::pi / 180); }
Tensor rad2deg(Emit& e, Tensor self) { return times(e, floats(e, self), 180 / std::numbers::pi); }

double largest(DType dtype) {
  switch (dtype) {
    case DType::f16: return 65504;
    case DType::bf16: return 0x1.fep127;
    case DType::f32: return std::numeric_limits<float>::max();
    default: return std::numeric_limits<double>::max();
  }
}

Tensor nan_to_num(Emit& e, Tensor self, std::optional<double> nan, std::optional<double> posinf,
                  std::optional<double> neginf) {
  if (is_whole(self)) return self;
  auto replaced = [&](Value* where, double by, Value* x) {
    return e.op("Where", {where, like(e, self, by), x});
  };
  Value* x = replaced(e.op("IsNaN", {self}), nan.value_or(0), self);
  if (!posinf && !neginf) {
    const double limit = largest(self.dtype());
    return e.op("Clip", {x, like(e, self, -limit), like(e, self, limit)});
  }
  Value* above = e.op("IsInf", {self}, {{"detect_negative", std::int64_t{0}}});
  Value* below = e.op("IsInf", {self}, {{"detect_positive", std::int64_t{0}}});
  x = replaced(above, posinf.value_or(largest(self.dtype())), x);
  return replaced(below, neginf.value_or(-largest(self.dtype())), x);
}

Tensor sinc(Emit& e, Tensor self) {
  Value* x = floats(e, self);
  Value* angle = times(e, x, std::numbers::pi);
  Value* ratio = e.op("Div", {e.op("Sin", {angle}), angle});
  return e.op("Where", {e.op("Equal", {x, like(e, x, 0)}), like(e, x, 1), ratio});
}

Tensor positive(Emit&, Tensor self) { return self; }

constexpr Declaration kUnary[] = {
    op<abs>("aten::abs(Tensor self) -> Tensor",
            {.doc = "The absolute value.", .aliases = {"aten::absolute"}}),
    op<of_floats<"Exp">>("aten::exp(Tensor self) -> Tensor", {.doc = "e to the power of x."}),
    op<exp2>("aten::exp2(Tensor self) -> Tensor",
             {.doc = "2 to the power of x.", .aliases = {"aten::special_exp2"}}),
    op<expm1>("aten::expm1(Tensor self) -> Tensor",
              {.doc = "exp(x) - 1, exact near 0.", .aliases = {"aten::special_expm1"}}),
    op<of_floats<"Log">>("aten::log(Tensor self) -> Tensor", {.doc = "The natural logarithm."}),
    op<log_of<2>>("aten::log2(Tensor self) -> Tensor", {.doc = "The logarithm to base 2."}),
    op<log_of<10>>("aten::log10(Tensor self) -> Tensor", {.doc = "The logarithm to base 10."}),
    op<log1p>("aten::log1p(Tensor self) -> Tensor",
              {.doc = "log(1 + x), exact near 0.", .aliases = {"aten::special_log1p"}}),
    op<of_floats<"Sqrt">>("aten::sqrt(Tensor self) -> Tensor", {.doc = "The square root."}),
    op<rsqrt>("aten::rsqrt(Tensor self) -> Tensor", {.doc = "1 / sqrt(x)."}),
    op<of_floats<"Sin">>("aten::sin(Tensor self) -> Tensor", {.doc = "The sine."}),
    op<of_floats<"Cos">>("aten::cos(Tensor self) -> Tensor", {.doc = "The cosine."}),
    op<unless_wide<"Tan", wide_tan>>("aten::tan(Tensor self) -> Tensor", {.doc = "The tangent."}),
    op<unless_wide<"Asin", wide_asin>>("aten::asin(Tensor self) -> Tensor",
                                       {.doc = "The inverse sine.", .aliases = {"aten::arcsin"}}),
    op<unless_wide<"Acos", wide_acos>>("aten::acos(Tensor self) -> Tensor",
                                       {.doc = "The inverse cosine.", .aliases = {"aten::arccos"}}),
    op<atan_of>("aten::atan(Tensor self) -> Tensor",
                {.doc = "The inverse tangent.", .aliases = {"aten::arctan"}}),
    op<unless_wide<"Sinh", wide_sinh>>("aten::sinh(Tensor self) -> Tensor", {.doc = "The hyperbolic sine."}),
    op<unless_wide<"Cosh", wide_cosh>>("aten::cosh(Tensor self) -> Tensor",
                                       {.doc = "The hyperbolic cosine."}),
    op<of_floats<"Tanh">>("aten::tanh(Tensor self) -> Tensor", {.doc = "The hyperbolic tangent."}),
    op<unless_wide<"Asinh", wide_asinh>>(
        "aten::asinh(Tensor self) -> Tensor",
        {.doc = "The inverse hyperbolic sine.", .aliases = {"aten::arcsinh"}}),
    op<unless_wide<"Acosh", wide_acosh>>(
        "aten::acosh(Tensor self) -> Tensor",
        {.doc = "The inverse hyperbolic cosine.", .aliases = {"aten::arccosh"}}),
    op<unless_wide<"Atanh", wide_atanh>>(
        "aten::atanh(Tensor self) -> Tensor",
        {.doc = "The inverse hyperbolic tangent.", .aliases = {"aten::arctanh"}}),
    op<of_floats<"Erf">>("aten::erf(Tensor self) -> Tensor",
                         {.doc = "The error function.", .aliases = {"aten::special_erf"}}),
    op<erfc>("aten::erfc(Tensor self) -> Tensor", {.doc = "1 - erf(x).", .aliases = {"aten::special_erfc"}}),
    op<rounding<"Ceil">>("aten::ceil(Tensor self) -> Tensor", {.doc = "Rounds up."}),
    op<rounding<"Floor">>("aten::floor(Tensor self) -> Tensor", {.doc = "Rounds down."}),
    op<rounding<"Round">>("aten::round(Tensor self) -> Tensor",
                          {.doc = "Rounds to the nearest integer, halves to the even one."}),
    op<round_decimals>("aten::round.decimals(Tensor self, *, int decimals) -> Tensor",
                       {.doc = "Rounds to a number of decimal places.", .sample = "decimals=2"}),
    op<round_decimals>("aten::special_round(Tensor self, *, int decimals=0) -> Tensor",
                       {.doc = "Rounds to a number of decimal places."}),
    op<trunc>("aten::trunc(Tensor self) -> Tensor",
              {.doc = "Rounds towards zero.", .aliases = {"aten::fix"}}),
    op<frac>("aten::frac(Tensor self) -> Tensor", {.doc = "What rounding towards zero takes away."}),
    op<sign>("aten::sign(Tensor self) -> Tensor", {.doc = "-1, 0 or 1.", .aliases = {"aten::sgn"}}),
    op<signbit>("aten::signbit(Tensor self) -> Tensor",
                {.doc = "Where the sign is negative, -0 included.", .result = Result::boolean}),
    op<of_floats<"Sigmoid">>("aten::sigmoid(Tensor self) -> Tensor",
                             {.doc = "1 / (1 + exp(-x)).", .aliases = {"aten::special_expit"}}),
    op<logit>("aten::logit(Tensor self, float? eps=None) -> Tensor",
              {.doc = "log(x / (1 - x)), x limited to [eps, 1 - eps].", .aliases = {"aten::special_logit"}}),
    op<of_floats<"Reciprocal">>("aten::reciprocal(Tensor self) -> Tensor", {.doc = "1 / x."}),
    op<deg2rad>("aten::deg2rad(Tensor self) -> Tensor", {.doc = "Degrees as radians."}),
    op<rad2deg>("aten::rad2deg(Tensor self) -> Tensor", {.doc = "Radians as degrees."}),
    op<nan_to_num>("aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) "
                   "-> Tensor",
                   {.doc = "Numbers in place of NaN and infinities."}),
    op<sinc>("aten::sinc(Tensor self) -> Tensor",
             {.doc = "sin(pi x) / (pi x), 1 at 0.", .aliases = {"aten::special_sinc"}}),
    op<positive>("aten::positive(Tensor(a) self) -> Tensor(a)", {.doc = "The tensor itself."}),
};

}  // namespace

std::span<const Declaration> unary_ops() { return kUnary; }

}  // namespace cameo::aten
