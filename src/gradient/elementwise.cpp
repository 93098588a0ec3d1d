#include <numbers>

#include "aten/elementwise.h"
#include "gradient/rules.h"

namespace cameo::gradient {
namespace {

// The derivative of a function y(x), times g.
using Slope = Expr (*)(const Expr& x, const Expr& y, const Expr& g);

template <Slope kSlope>
void unary(const NodeStep& s) {
  s.give(0, kSlope(s.in(0), s.out(), s.grad()));
}

Expr cosh(const Expr& x) { return (exp(x) + exp(-x)) * 0.5; }
Expr sinh(const Expr& x) { return (exp(x) - exp(-x)) * 0.5; }

Expr slope_abs(const Expr& x, const Expr&, const Expr& g) { return g * sign(x); }
Expr slope_acos(const Expr& x, const Expr&, const Expr& g) { return -g / sqrt(1 - x * x); }
Expr slope_acosh(const Expr& x, const Expr&, const Expr& g) { return g / sqrt(x * x - 1); }
Expr slope_asin(const Expr& x, const Expr&, const Expr& g) { return g / sqrt(1 - x * x); }
Expr slope_asinh(const Expr& x, const Expr&, const Expr& g) { return g / sqrt(x * x + 1); }
Expr slope_atan(const Expr& x, const Expr&, const Expr& g) { return g / (x * x + 1); }
Expr slope_atanh(const Expr& x, const Expr&, const Expr& g) { return g / (1 - x * x); }
Expr slope_cos(const Expr& x, const Expr&, const Expr& g) { return -(g * sin(x)); }
Expr slope_cosh(const Expr& x, const Expr&, const Expr& g) { return g * sinh(x); }
Expr slope_erf(const Expr& x, const Expr&, const Expr& g) {
  return g * exp(-(x * x)) * (2 * std::numbers::inv_sqrtpi);
}
Expr slope_exp(const Expr&, const Expr& y, const Expr& g) { return g * y; }
Expr slope_identity(const Expr&, const Expr&, const Expr& g) { return g; }
Expr slope_log(const Expr& x, const Expr&, const Expr& g) { return g / x; }
Expr slope_neg(const Expr&, const Expr&, const Expr& g) { return -g; }
Expr slope_reciprocal(const Expr&, const Expr& y, const Expr& g) { return -g * (y * y); }
Expr slope_relu(const Expr&, const Expr& y, const Expr& g) { return where(y > 0, g, 0); }
Expr slope_sigmoid(const Expr&, const Expr& y, const Expr& g) { return g * (1 - y) * y; }
Expr slope_sin(const Expr& x, const Expr&, const Expr& g) { return g * cos(x); }
Expr slope_sinh(const Expr& x, const Expr&, const Expr& g) { return g * cosh(x); }
Expr slope_softplus(const Expr& x, const Expr&, const Expr& g) { return g * sigmoid(x); }
Expr slope_softsign(const Expr& x, const Expr&, const Expr& g) {
  const Expr below = abs(x) + 1;
  return g / (below * below);
}
Expr slope_sqrt(const Expr&, const Expr& y, const Expr& g) { return g / (y * 2); }
Expr slope_step(const Expr& x, const Expr&, const Expr&) { return zeros(*x.e, x); }
Expr slope_tan(const Expr&, const Expr& y, const Expr& g) { return g * (y * y + 1); }
Expr slope_tanh(const Expr&, const Expr& y, const Expr& g) { return g * (1 - y * y); }
Expr slope_hard_swish(const Expr& x, const Expr&, const Expr& g) {
  const Expr middle = where(x <= 3, g * (x / 3 + 0.5), g);
  return where(x < -3, 0, middle);
}
Expr slope_mish(const Expr& x, const Expr&, const Expr& g) {
  const Expr t = tanh(aten::softplus(x)), s = sigmoid(x);
  return g * (t + x * s * (1 - t * t));
}

void elu(const NodeStep& s) {
  const Expr scaled = s.grad() * (s.out() + s.real("alpha", 1));
  s.give(0, where(s.in(0) > 0, s.grad(), scaled));
}
void leaky_relu(const NodeStep& s) {
  s.give(0, where(s.in(0) > 0, s.grad(), s.grad() * s.real("alpha", 0.01F)));
}
void selu(const NodeStep& s) {
  const double alpha = s.real("alpha", 1.67326319217681884765625),
               gamma = s.real("gamma", 1.05070102214813232421875);
  const Expr below = s.grad() * (s.out() + alpha * gamma);
  s.give(0, where(s.in(0) > 0, s.grad() * gamma, below));
}
void celu(const NodeStep& s) {
  const double alpha = s.real("alpha", 1);
  s.give(0, where(s.in(0) > 0, s.grad(), s.grad() * exp(s.in(0) / alpha)));
}
void shrink(const NodeStep& s) {
  const double limit = s.real("lambd", 0.5);
  s.give(0, where(s.in(0) > limit || s.in(0) < -limit, s.grad(), 0));
}
void hard_sigmoid(const NodeStep& s) {
  const Expr inside = s.out() > 0 && s.out() < 1;
  s.give(0, where(inside, s.grad() * s.real("alpha", 0.2F), 0));
}
void gelu(const NodeStep& s) {
  const Expr x = s.in(0);
  if (s.text("approximate", "none") == "tanh") {
    const double k = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
    const Expr square = x * x, t = tanh((x + x * square * 0.044715) * k);
    const Expr inner = (square * (3 * 0.044715) + 1) * k;
    return s.give(0, s.grad() * ((t + 1) * 0.5 + x * 0.5 * (1 - t * t) * inner));
  }
  const Expr normal = compute(s.e, "Erf", {x * (1 / std::numbers::sqrt2)}) * 0.5 + 0.5;
  const Expr density = exp(x * x * -0.5) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
  s.give(0, s.grad() * (normal + x * density));
}

void to_type(const NodeStep& s) { s.give(0, cast_like(s.grad(), s.in(0))); }

void add(const NodeStep& s) {
  for (std::size_t i = 0; i < s.inputs(); ++i) s.give(i, s.grad());
}
void mean(const NodeStep& s) {
  const Expr part = s.grad() / static_cast<std::int64_t>(s.inputs());
  for (std::size_t i = 0; i < s.inputs(); ++i) s.give(i, part);
}
void subtract(const NodeStep& s) {
  s.give(0, s.grad());
  if (s.wants(1)) s.give(1, -s.grad());
}
void multiply(const NodeStep& s) {
  if (s.wants(0)) s.give(0, s.grad() * s.in(1));
  if (s.wants(1)) s.give(1, s.grad() * s.in(0));
}
void divide(const NodeStep& s) {
  const Expr part = s.grad() / s.in(1);
  s.give(0, part);
  if (s.wants(1)) s.give(1, -(part * s.out()));
}
void modulo(const NodeStep& s) {
  s.give(0, s.grad());
  if (s.wants(1)) s.give(1, -(s.grad() * aten::truncated(s.in(0) / s.in(1))));
}

// The exponent may have another dtype than the base.
void power_of(const NodeStep& s) {
  const Expr x = s.in(0), g = s.grad(), exponent = cast_like(s.in(1), x);
  const std::optional<double> known = aten::known_number(exponent);
  if (s.wants(0)) {
    const auto slope = [&] { return g * exponent * power(x, exponent - 1); };
    if (known)
      s.give(0, *known == 0 ? zeros(s.e, x) : *known == 1 ? g : *known == 2 ? Expr(g * (x * 2)) : slope());
    else
      s.give(0, where(equal(exponent, 0), 0, slope()));
  }
  if (!s.wants(1)) return;
  const Expr by_exponent = g * s.out() * log(x);
  s.give(1, cast_like(where(equal(x, 0) && exponent >= 0, 0, by_exponent), s.in(1)));
}

// Equal operands share the gradient.
template <bool kLargest>
void extreme(const NodeStep& s) {
  if (s.inputs() == 1) return s.give(0, s.grad());
  if (s.inputs() != 2)
    throw aten::Unsupported("the derivative of Max or Min of more than two tensors is not supported");
  const Expr a = s.in(0), b = s.in(1), half = s.grad() * 0.5;
  const Expr first = kLargest ? a > b : a < b, second = kLargest ? a < b : a > b;
  const auto part = [&](const Expr& wins, const Expr& loses) {
    const Expr shared = where(loses, 0, half);
    return where(wins, s.grad(), shared);
  };
  if (s.wants(0)) s.give(0, part(first, second));
  if (s.wants(1)) s.give(1, part(second, first));
}

void select(const NodeStep& s) {
  if (s.wants(1)) s.give(1, where(s.in(0), s.grad(), 0));
  if (s.wants(2)) s.give(2, where(s.in(0), 0, s.grad()));
}

// The limits themselves belong to the inside.
void limit(const NodeStep& s) {
  Expr g = s.grad();
  const Expr x = s.in(0);
  if (s.has(1)) g = where(x < s.in(1), 0, g);
  if (s.has(2)) g = where(x > s.in(2), 0, g);
  s.give(0, g);
}

void parametric_relu(const NodeStep& s) {
  const Expr x = s.in(0), above = x > 0;
  if (s.wants(0)) s.give(0, where(above, s.grad(), s.grad() * s.in(1)));
  if (s.wants(1)) s.give(1, where(above, 0, s.grad() * x));
}

constexpr NodeRow kElementwise[] = {
    {"Abs", unary<slope_abs>},
    {"Acos", unary<slope_acos>},
    {"Acosh", unary<slope_acosh>},
    {"Add", add},
    {"Asin", unary<slope_asin>},
    {"Asinh", unary<slope_asinh>},
    {"Atan", unary<slope_atan>},
    {"Atanh", unary<slope_atanh>},
    {"Cast", to_type},
    {"CastLike", to_type},
    {"Ceil", unary<slope_step>},
    {"Celu", celu},
    {"Clip", limit},
    {"Cos", unary<slope_cos>},
    {"Cosh", unary<slope_cosh>},
    {"Div", divide},
    {"Elu", elu},
    {"Erf", unary<slope_erf>},
    {"Exp", unary<slope_exp>},
    {"Floor", unary<slope_step>},
    {"Gelu", gelu},
    {"HardSigmoid", hard_sigmoid},
    {"HardSwish", unary<slope_hard_swish>},
    {"Identity", unary<slope_identity>},
    {"LeakyRelu", leaky_relu},
    {"Log", unary<slope_log>},
    {"Max", extreme<true>},
    {"Mean", mean},
    {"Min", extreme<false>},
    {"Mish", unary<slope_mish>},
    {"Mod", modulo},
    {"Mul", multiply},
    {"Neg", unary<slope_neg>},
    {"PRelu", parametric_relu},
    {"Pow", power_of},
    {"Reciprocal", unary<slope_reciprocal>},
    {"Relu", unary<slope_relu>},
    {"Round", unary<slope_step>},
    {"Selu", selu},
    {"Shrink", shrink},
    {"Sigmoid", unary<slope_sigmoid>},
    {"Sign", unary<slope_step>},
    {"Sin", unary<slope_sin>},
    {"Sinh", unary<slope_sinh>},
    {"Softplus", unary<slope_softplus>},
    {"Softsign", unary<slope_softsign>},
    {"Sqrt", unary<slope_sqrt>},
    {"Sub", subtract},
    {"Sum", add},
    {"Tan", unary<slope_tan>},
    {"Tanh", unary<slope_tanh>},
    {"Where", select},
};

}  // namespace

std::span<const NodeRow> elementwise_rules() { return kElementwise; }

}  // namespace cameo::gradient
