// The error function's relatives, and the normal distribution that is made of it.
#include <limits>
#include <numbers>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/formula.h"

namespace cameo::aten {
namespace {

constexpr double kHalfRootPi = 0.88622692545275801365;

// (1 + 2 x) exp(x²) erfc(x) for x >= 0, in (x - 3.75) / (x + 3.75).
constexpr double kScaled[] = {
    1.2375126308378275,     -0.14024059858554522,    0.0035854154854663067,   0.08227673848999159,
    -0.10880393014193915,   0.09230432116435616,     -0.058693398584491845,   0.028362277371370044,
    -0.00974657962081509,   0.0017556261692276722,   0.00029371408777227685,  -0.0002901553656394713,
    5.164737123871838e-05,  2.238759272534769e-05,   -1.143961526007595e-05,  -9.79297529099823e-07,
    1.7438577411359181e-06, -5.0816911811698186e-08, -2.4996538037405243e-07, 1.8778501156468795e-08,
    3.256499083798513e-08,  -1.952790162974837e-09,  -2.7293941332533855e-09};
// erf(x) / x for |x| < 0.5, in x².
constexpr double kSmall[] = {1.1283791670955126,     -0.37612638903183754,   0.11283791670955126,
                             -0.026866170645131252,  0.005223977625442188,   -0.0008548327023450853,
                             0.00012055332981789664, -1.492565035840625e-05, 1.6462114365889248e-06,
                             -1.6365844691234924e-07};
// erfinv(y) / s to four digits, in (s - 2) / (s + 2), where s² = -log(1 - y²).
constexpr double kGuess[] = {0.9208750905435167,   0.10590901152531307,   0.08009537862148301,
                             -0.10289655306813354, -0.14982074245648344,  0.10197746890198657,
                             0.16592234138876083,  -0.051710553553792886, -0.07768326575388418};

// exp(x²) erfc(x) for x >= 0.
Expr scaled_erfc(Expr x) { return polynomial(1 - 7.5 / (x + 3.75), kScaled) / (1 + 2 * x); }

Expr erfcx(Expr x) {
  const Expr size = abs(x), scaled = scaled_erfc(size);
  return where(x < 0, 2 * exp(size * size) - scaled, scaled);
}

// The x >= 0 with erf(x) = y, of which rest = 1 - y is given exactly: a guess, and two of Halley's steps.
Expr inverse(Expr y, Expr rest) {
  const Expr s = sqrt(-log(rest * (2 - rest)));
  Expr x = s * polynomial(1 - 4 / (s + 2), kGuess);
  for (int step = 0; step < 2; ++step) {
    const Expr square = x * x, growth = exp(square);
    const Expr near = (x * polynomial(square, kSmall) - y) * growth;
    const Expr ratio = kHalfRootPi * where(y < 0.5, near, rest * growth - scaled_erfc(x));
    x = x - ratio / (1 + x * ratio);
  }
  return where(equal(rest, 0), kInfinity, x);
}

Expr erfinv(Expr x) {
  const Expr size = abs(x);
  return sign(x) * inverse(size, 1 - size);
}

Expr ndtri(Expr p) {
  const Expr lower = p < 0.5;
  const Expr rest = 2 * where(lower, p, 1 - p);
  const Expr x = std::numbers::sqrt2 * inverse(1 - rest, rest);
  return where(lower, -x, x);
}

// Half of erfc(|x| / sqrt(2)): how much lies beyond |x|.
Expr tail(Expr x) {
  const Expr size = abs(x) * (1 / std::numbers::sqrt2);
  return 0.5 * scaled_erfc(size) * exp(-(size * size));
}

Expr ndtr(Expr x) {
  const Expr beyond = tail(x);
  return where(0 < x, 1 - beyond, beyond);
}

Expr log_ndtr(Expr x) {
  const Expr size = abs(x) * (1 / std::numbers::sqrt2);
  const Expr far = log(0.5 * scaled_erfc(size)) - size * size;
  const Expr beyond = tail(x);
  return where(x < -1, far, log1p(where(x < 0, beyond - 1, -beyond)));
}

Expr entr(Emit&, Expr self) {
  const Expr x = floats(self);
  return where(equal(x, 0), 0, where(x < 0, -kInfinity, -x * log(x)));
}

Expr xlog1py(Emit& e, const Operand& self, const Operand& other) {
  const Operands given = float_operands(e, self, other);
  const Expr x = cast(given.a, DType::f64), y = cast(given.b, DType::f64);
  const Expr result = where(equal(x, 0) && equal(y, y), 0, x * log1p(y));
  return cast(result, given.dtype());
}

constexpr Declaration kErrorFunction[] = {
    op<precisely<erfinv>>(
        "aten::erfinv(Tensor self) -> Tensor",
        {.doc = "The inverse of the error function.", .aliases = {"aten::special_erfinv", "prims::erf_inv"}}),
    op<precisely<erfcx>>("aten::special_erfcx(Tensor self) -> Tensor",
                         {.doc = "exp(x²) erfc(x).", .aliases = {"prims::erfcx"}}),
    op<precisely<ndtr>>("aten::special_ndtr(Tensor self) -> Tensor",
                        {.doc = "The share of the normal distribution below x."}),
    op<precisely<ndtri>>(
        "aten::special_ndtri(Tensor self) -> Tensor",
        {.doc = "Below which the given share of the normal distribution lies.", .aliases = {"prims::ndtri"}}),
    op<precisely<log_ndtr>>("aten::special_log_ndtr(Tensor self) -> Tensor",
                            {.doc = "The logarithm of the share of the normal distribution below x."}),
    op<entr>("aten::special_entr(Tensor self) -> Tensor",
             {.doc = "-x log(x); 0 at 0, and minus infinity below."}),
    op<on<xlog1py, Tensor, Tensor>>("aten::special_xlog1py(Tensor self, Tensor other) -> Tensor",
                                    {.doc = "x log(1 + y), and 0 where x is."}),
    op<on<xlog1py, Tensor, Scalar>>("aten::special_xlog1py.other_scalar(Tensor self, Scalar other) -> Tensor",
                                    {.doc = "x log(1 + y), and 0 where x is."}),
    op<on<xlog1py, Scalar, Tensor>>("aten::special_xlog1py.self_scalar(Scalar self, Tensor other) -> Tensor",
                                    {.doc = "x log(1 + y), and 0 where x is."}),
};

}  // namespace

std::span<const Declaration> error_function_ops() { return kErrorFunction; }

}  // namespace cameo::aten
