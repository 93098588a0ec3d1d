// The gamma function's logarithm and derivatives, and the zeta function that these are made of.
#include <cmath>
#include <limits>
#include <numbers>

#include "aten/counted_loop.h"
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/formula.h"

namespace cameo::aten {
namespace {

using std::numbers::pi;

constexpr int kSteps = 9;  // from there on, asymptotic series are exact to f64

// Bernoulli's numbers B2, B4 …
constexpr double kBernoulli[] = {1.0 / 6,       -1.0 / 30,       1.0 / 42,       -1.0 / 30,
                                 5.0 / 66,      -691.0 / 2730,   7.0 / 6,        -3617.0 / 510,
                                 43867.0 / 798, -174611.0 / 330, 854513.0 / 138, -236364091.0 / 2730};
constexpr std::size_t kTerms = 8;

// For x >= 0.5: x itself, or x + kSteps where x is smaller than that.
struct Shifted {
  Expr x;
  Expr moved;
  Expr small;  // x where it was moved, and a number that does no harm elsewhere
};
Shifted shifted(Expr x) {
  const Expr moved = x < kSteps;
  return {where(moved, x + kSteps, x), moved, where(moved, x, 1)};
}

// The argument on the right of 1/2: there, f(1 - x) says what f(x) is.
Expr reflected(Expr x) { return where(x < 0.5, 1 - x, x); }

std::vector<double> stirling(double (*factor)(double)) {
  std::vector<double> series;
  for (std::size_t k = 0; k < kTerms; ++k)
    series.push_back(kBernoulli[k] * factor(2 * static_cast<double>(k) + 2));
  return series;
}

Expr lgamma(Expr x) {
  const Shifted at = shifted(reflected(x));
  Expr product = at.small;
  for (int k = 1; k < kSteps; ++k) product = product * (at.small + k);
  const Expr inverse = 1 / at.x;
  const Expr series =
      inverse * polynomial(inverse * inverse, stirling([](double n) { return 1 / (n * (n - 1)); }));
  const Expr far = (at.x - 0.5) * log(at.x) - at.x + (0.5 * std::log(2 * pi) + series);
  const Expr right = far - where(at.moved, log(product), 0);
  const Expr left = log(pi / abs(sin(pi * (x - floor(x))))) - right;
  return where(equal(abs(x), kInfinity), kInfinity, where(x < 0.5, left, right));
}

// pi x, less a multiple of pi: exact next to the poles.
Expr angle(Expr x) { return pi * (x - round(x)); }

Expr is_pole(Expr x) { return x < 0.5 && equal(x, floor(x)); }

Expr digamma(Expr x) {
  const Shifted at = shifted(reflected(x));
  Expr sum = 1 / at.small;
  for (int k = 1; k < kSteps; ++k) sum = sum + 1 / (at.small + k);
  const Expr inverse = 1 / at.x, square = inverse * inverse;
  const Expr series = square * polynomial(square, stirling([](double n) { return 1 / n; }));
  const Expr right = log(at.x) - 0.5 * inverse - series - where(at.moved, sum, 0);
  const Expr left = right - pi * cos(angle(x)) / sin(angle(x));
  const Expr pole = where(equal(x, 0), -1 / x, kNaN);
  return where(is_pole(x), pole, where(x < 0.5, left, right));
}

// PyTorch takes the sine in the tensor's own dtype: next to the poles, its rounding is all there is to see.
Expr trigamma(Expr x, Expr sine_of_angle) {
  const Shifted at = shifted(reflected(x));
  Expr sum = 1 / (at.small * at.small);
  for (int k = 1; k < kSteps; ++k) sum = sum + 1 / ((at.small + k) * (at.small + k));
  const Expr inverse = 1 / at.x, square = inverse * inverse;
  const Expr series = inverse * square * polynomial(square, stirling([](double) { return 1.0; }));
  const Expr right = inverse + 0.5 * square + series + where(at.moved, sum, 0);
  const Expr sine = sine_of_angle * (1 / pi);
  return where(x < 0.5, 1 / (sine * sine) - right, right);
}

// The sum of (q + k)^-s over all k >= 0: term by term up to kSteps, then by Euler's and Maclaurin's formula.
Expr zeta(Expr s, Expr q) {
  Emit& e = *s.e;
  const Expr pole = q < 0.5 && equal(q, floor(q));
  const Shape shape = broadcast_shape(e, s.shape(), q.shape());
  const Expr none = filled(e.scalar(DType::f64, 0.0), shape);
  const auto turn = [&](Expr k, const std::vector<Expr>& carried) -> TurnResults {
    const Expr sum = carried[0], at = carried[1];
    const Expr early = k < kSteps;
    const Expr goes_on = early || at < kSteps;
    return {{where(goes_on, sum + power(at, -s), sum), where(goes_on, at + 1, at)}, {}};
  };
  const Expr never = pole || !equal(q, q);
  const Expr needed = cast(where(never, 0, ceil(kSteps - q)), DType::i64);
  const TurnResults done = counted_loop(e, "terms", largest_count(needed, kSteps), {none, q}, turn);
  const Expr sum = done.carried[0], a = done.carried[1];
  const Expr last = power(a, -s), square = a * a;
  Expr tail = last * (a / (s - 1) + 0.5);
  Expr factor = last * s / a;
  double factorial = 1;
  for (int j = 1; j <= static_cast<int>(std::size(kBernoulli)); ++j) {
    factorial *= (2 * j - 1) * (2 * j);
    tail = tail + factor * (kBernoulli[j - 1] / factorial);
    factor = factor * ((s + (2 * j - 1)) * (s + 2 * j)) / square;
  }
  const Expr undefined = q < 0 && !equal(s, floor(s));
  const Expr complete = equal(last, 0) && !equal(sum, 0);
  const Expr total = where(complete, sum, sum + tail);
  const Expr defined = where(pole, kInfinity, where(undefined, kNaN, total));
  return where(equal(s, 1), kInfinity, where(s < 1, kNaN, defined));
}

Expr polygamma(Emit&, std::int64_t n, Expr self) {
  if (n < 0) throw ProgramError("the order must not be negative");
  if (n == 0) return in_f64(self, digamma);
  const Expr x = floats(self);
  const Expr q = cast(x, DType::f64);
  if (n == 1) {
    const Expr sine = sin(Expr(x) * pi);
    return cast(trigamma(q, cast(sine, DType::f64)), x.dtype());
  }
  const auto order = static_cast<double>(n);
  const Expr sums = zeta(q.number(order + 1), q);
  return cast(sums * ((n % 2 != 0 ? 1 : -1) * std::tgamma(order + 1)), x.dtype());
}

Expr mvlgamma(Emit&, Expr self, std::int64_t p) {
  if (p < 1) throw ProgramError("the dimension must be positive");
  const Expr x = floats(self);
  const Expr wide = cast(x, DType::f64);
  Expr sum = lgamma(wide);
  for (std::int64_t j = 1; j < p; ++j) sum = sum + lgamma(wide - 0.5 * static_cast<double>(j));
  const auto count = static_cast<double>(p);
  return cast(sum + count * (count - 1) / 4 * std::log(pi), x.dtype());
}

Expr special_zeta(Emit& e, const Operand& self, const Operand& other) {
  const Operands given = float_operands(e, self, other);
  const Expr s = cast(given.a, DType::f64), q = cast(given.b, DType::f64);
  const Shape shape = broadcast_shape(e, given.a.shape(), given.b.shape());
  return cast(zeta(s, expand(q, shape)), given.dtype());
}

constexpr Declaration kGamma[] = {
    op<precisely<lgamma>>("aten::lgamma(Tensor self) -> Tensor",
                          {.doc = "The logarithm of the absolute value of the gamma function.",
                           .aliases = {"aten::special_gammaln", "prims::lgamma"}}),
    op<precisely<digamma>>("aten::digamma(Tensor self) -> Tensor",
                           {.doc = "The derivative of lgamma.",
                            .aliases = {"aten::special_digamma", "aten::special_psi", "prims::digamma"}}),
    op<polygamma>(
        "aten::polygamma(int n, Tensor self) -> Tensor",
        {.doc = "The n-th derivative of digamma.", .aliases = {"aten::special_polygamma"}, .sample = "n=1"}),
    op<mvlgamma>("aten::mvlgamma(Tensor self, int p) -> Tensor",
                 {.doc = "The logarithm of the gamma function of dimension p.",
                  .aliases = {"aten::special_multigammaln"}}),
    op<on<special_zeta, Tensor, Tensor>>(
        "aten::special_zeta(Tensor self, Tensor other) -> Tensor",
        {.doc = "The sum of (q + k)^-s over all k >= 0.", .aliases = {"prims::zeta"}}),
    op<on<special_zeta, Tensor, Scalar>>(
        "aten::special_zeta.other_scalar(Tensor self, Scalar other) -> Tensor",
        {.doc = "The sum of (q + k)^-s over all k >= 0."}),
    op<on<special_zeta, Scalar, Tensor>>(
        "aten::special_zeta.self_scalar(Scalar self, Tensor other) -> Tensor",
        {.doc = "The sum of (q + k)^-s over all k >= 0."}),
};

}  // namespace

std::span<const Declaration> gamma_ops() { return kGamma; }

}  // namespace cameo::aten
