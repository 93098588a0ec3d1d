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

using onnx::Value;
using std::numbers::pi;

constexpr int kSteps = 9;  // from there on, asymptotic series are exact to f64

// Bernoulli's numbers B2, B4 …
constexpr double kBernoulli[] = {1.0 / 6,       -1.0 / 30,       1.0 / 42,       -1.0 / 30,
                                 5.0 / 66,      -691.0 / 2730,   7.0 / 6,        -3617.0 / 510,
                                 43867.0 / 798, -174611.0 / 330, 854513.0 / 138, -236364091.0 / 2730};
constexpr std::size_t kTerms = 8;

// For x >= 0.5: x itself, or x + kSteps where x is smaller than that.
struct Shifted {
  Real x;
  Truth moved;
  Real small;  // x where it was moved, and a number that does no harm elsewhere
};
Shifted shifted(Real x) {
  const Truth moved = x < kSteps;
  return {where(moved, x + kSteps, x), moved, where(moved, x, 1)};
}

// The argument on the right of 1/2: there, f(1 - x) says what f(x) is.
Real reflected(Real x) { return where(x < 0.5, 1 - x, x); }

std::vector<double> stirling(double (*factor)(double)) {
  std::vector<double> series;
  for (std::size_t k = 0; k < kTerms; ++k)
    series.push_back(kBernoulli[k] * factor(2 * static_cast<double>(k) + 2));
  return series;
}

Real lgamma(Real x) {
  const Shifted at = shifted(reflected(x));
  Real product = at.small;
  for (int k = 1; k < kSteps; ++k) product = product * (at.small + k);
  const Real inverse = 1 / at.x;
  const Real series =
      inverse * polynomial(inverse * inverse, stirling([](double n) { return 1 / (n * (n - 1)); }));
  const Real far = (at.x - 0.5) * log(at.x) - at.x + (0.5 * std::log(2 * pi) + series);
  const Real right = far - where(at.moved, log(product), 0);
  const Real left = log(pi / abs(sin(pi * (x - floor(x))))) - right;
  return where(equal(abs(x), kInfinity), kInfinity, where(x < 0.5, left, right));
}

// pi x, less a multiple of pi: exact next to the poles.
Real angle(Real x) { return pi * (x - round(x)); }

Truth is_pole(Real x) { return x < 0.5 && equal(x, floor(x)); }

Real digamma(Real x) {
  const Shifted at = shifted(reflected(x));
  Real sum = 1 / at.small;
  for (int k = 1; k < kSteps; ++k) sum = sum + 1 / (at.small + k);
  const Real inverse = 1 / at.x, square = inverse * inverse;
  const Real series = square * polynomial(square, stirling([](double n) { return 1 / n; }));
  const Real right = log(at.x) - 0.5 * inverse - series - where(at.moved, sum, 0);
  const Real left = right - pi * cos(angle(x)) / sin(angle(x));
  const Real pole = where(equal(x, 0), -1 / x, kNaN);
  return where(is_pole(x), pole, where(x < 0.5, left, right));
}

// PyTorch takes the sine in the tensor's own dtype: next to the poles, its rounding is all there is to see.
Real trigamma(Real x, Real sine_of_angle) {
  const Shifted at = shifted(reflected(x));
  Real sum = 1 / (at.small * at.small);
  for (int k = 1; k < kSteps; ++k) sum = sum + 1 / ((at.small + k) * (at.small + k));
  const Real inverse = 1 / at.x, square = inverse * inverse;
  const Real series = inverse * square * polynomial(square, stirling([](double) { return 1.0; }));
  const Real right = inverse + 0.5 * square + series + where(at.moved, sum, 0);
  const Real sine = sine_of_angle * (1 / pi);
  return where(x < 0.5, 1 / (sine * sine) - right, right);
}

// The sum of (q + k)^-s over all k >= 0: term by term up to kSteps, then by Euler's and Maclaurin's formula.
Real zeta(Real s, Real q) {
  Emit& e = *s.e;
  const Truth pole = q < 0.5 && equal(q, floor(q));
  const Shape shape = broadcast_shape(e, Tensor(s.value).shape(), Tensor(q.value).shape());
  const Real none{&e, filled(e, e.scalar(DType::f64, 0.0), shape)};
  const auto turn = [&](Value* k, const std::vector<Value*>& carried) -> TurnResults {
    const Real sum{&e, carried[0]}, at{&e, carried[1]};
    const Truth early{&e, e.op("Less", {k, e.dim(kSteps)})};
    const Truth goes_on = early || at < kSteps;
    return {{where(goes_on, sum + power(at, -s), sum).value, where(goes_on, at + 1, at).value}, {}};
  };
  const Truth never = pole || Truth{&e, e.op("Not", {equal(q, q).value})};
  Value* needed = e.cast(where(never, 0, ceil(kSteps - q)).value, DType::i64);
  const TurnResults done =
      counted_loop(e, "terms", largest_count(e, needed, kSteps), {none.value, q.value}, turn);
  const Real sum{&e, done.carried[0]}, a{&e, done.carried[1]};
  const Real last = power(a, -s), square = a * a;
  Real tail = last * (a / (s - 1) + 0.5);
  Real factor = last * s / a;
  double factorial = 1;
  for (int j = 1; j <= static_cast<int>(std::size(kBernoulli)); ++j) {
    factorial *= (2 * j - 1) * (2 * j);
    tail = tail + factor * (kBernoulli[j - 1] / factorial);
    factor = factor * ((s + (2 * j - 1)) * (s + 2 * j)) / square;
  }
  const Truth undefined = q < 0 && Truth{&e, e.op("Not", {equal(s, floor(s)).value})};
  const Truth complete = equal(last, 0) && Truth{&e, e.op("Not", {equal(sum, 0).value})};
  const Real total = where(complete, sum, sum + tail);
  const Real defined = where(pole, kInfinity, where(undefined, kNaN, total));
  return where(equal(s, 1), kInfinity, where(s < 1, kNaN, defined));
}

Tensor polygamma(Emit& e, std::int64_t n, Tensor self) {
  if (n < 0) throw ProgramError("the order must not be negative");
  if (n == 0) return in_f64(e, self, digamma);
  const Tensor x = floats(e, self);
  const Real q{&e, e.cast(x, DType::f64)};
  if (n == 1) {
    Value* sine = sin(Real{&e, x} * pi).value;
    return e.cast(trigamma(q, {&e, e.cast(sine, DType::f64)}).value, x.dtype());
  }
  const auto order = static_cast<double>(n);
  const Real sums = zeta(q.constant(order + 1), q);
  return e.cast((sums * ((n % 2 != 0 ? 1 : -1) * std::tgamma(order + 1))).value, x.dtype());
}

Tensor mvlgamma(Emit& e, Tensor self, std::int64_t p) {
  if (p < 1) throw ProgramError("the dimension must be positive");
  const Tensor x = floats(e, self);
  const Real wide{&e, e.cast(x, DType::f64)};
  Real sum = lgamma(wide);
  for (std::int64_t j = 1; j < p; ++j) sum = sum + lgamma(wide - 0.5 * static_cast<double>(j));
  const auto count = static_cast<double>(p);
  return e.cast((sum + count * (count - 1) / 4 * std::log(pi)).value, x.dtype());
}

Tensor special_zeta(Emit& e, const Operand& self, const Operand& other) {
  const Operands given = float_operands(e, self, other);
  const Real s{&e, e.cast(given.a, DType::f64)}, q{&e, e.cast(given.b, DType::f64)};
  const Shape shape = broadcast_shape(e, Tensor(given.a).shape(), Tensor(given.b).shape());
  return e.cast(zeta(s, {&e, e.expand(q.value, shape)}).value, given.dtype());
}

constexpr Declaration kGamma[] = {
    op<precisely<lgamma>>("aten::lgamma(Tensor self) -> Tensor",
                          {.doc = "The logarithm of the absolute value of the gamma function.",
                           .aliases = {"aten::special_gammaln"}}),
    op<precisely<digamma>>(
        "aten::digamma(Tensor self) -> Tensor",
        {.doc = "The derivative of lgamma.", .aliases = {"aten::special_digamma", "aten::special_psi"}}),
    op<polygamma>(
        "aten::polygamma(int n, Tensor self) -> Tensor",
        {.doc = "The n-th derivative of digamma.", .aliases = {"aten::special_polygamma"}, .sample = "n=1"}),
    op<mvlgamma>("aten::mvlgamma(Tensor self, int p) -> Tensor",
                 {.doc = "The logarithm of the gamma function of dimension p.",
                  .aliases = {"aten::special_multigammaln"}}),
    op<on<special_zeta, Tensor, Tensor>>("aten::special_zeta(Tensor self, Tensor other) -> Tensor",
                                         {.doc = "The sum of (q + k)^-s over all k >= 0."}),
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
