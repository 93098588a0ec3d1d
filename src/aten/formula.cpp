#include "aten/formula.h"

#include "aten/elementwise.h"

namespace cameo::aten {
namespace {

Real apply(std::string_view op, Real a, Real b) { return {a.e, compute(*a.e, op, {a.value, b.value})}; }
Real apply(std::string_view op, Real a) { return {a.e, compute(*a.e, op, {a.value})}; }
Truth compare(std::string_view op, Real a, Real b) { return {a.e, compute(*a.e, op, {a.value, b.value})}; }

}  // namespace

Real Real::constant(double number) const { return {e, like(*e, value, number)}; }

Real operator+(Real a, Real b) { return apply("Add", a, b); }
Real operator+(Real a, double b) { return a + a.constant(b); }
Real operator+(double a, Real b) { return b.constant(a) + b; }
Real operator-(Real a, Real b) { return apply("Sub", a, b); }
Real operator-(Real a, double b) { return a - a.constant(b); }
Real operator-(double a, Real b) { return b.constant(a) - b; }
Real operator-(Real a) { return apply("Neg", a); }
Real operator*(Real a, Real b) { return apply("Mul", a, b); }
Real operator*(Real a, double b) { return a * a.constant(b); }
Real operator*(double a, Real b) { return b.constant(a) * b; }
Real operator/(Real a, Real b) { return apply("Div", a, b); }
Real operator/(Real a, double b) { return a / a.constant(b); }
Real operator/(double a, Real b) { return b.constant(a) / b; }

Truth operator<(Real a, Real b) { return compare("Less", a, b); }
Truth operator<(Real a, double b) { return a < a.constant(b); }
Truth operator>(Real a, double b) { return a.constant(b) < a; }
Truth equal(Real a, Real b) { return compare("Equal", a, b); }
Truth equal(Real a, double b) { return equal(a, a.constant(b)); }
Truth operator&&(Truth a, Truth b) { return {a.e, a.e->op("And", {a.value, b.value})}; }
Truth operator||(Truth a, Truth b) { return {a.e, a.e->op("Or", {a.value, b.value})}; }

Real where(Truth condition, Real yes, Real no) {
  return {yes.e, compute(*yes.e, "Where", {condition.value, yes.value, no.value})};
}
Real where(Truth condition, Real yes, double no) { return where(condition, yes, yes.constant(no)); }
Real where(Truth condition, double yes, Real no) { return where(condition, no.constant(yes), no); }

Real abs(Real x) { return apply("Abs", x); }
Real ceil(Real x) { return apply("Ceil", x); }
Real cos(Real x) { return apply("Cos", x); }
Real exp(Real x) { return apply("Exp", x); }
Real floor(Real x) { return apply("Floor", x); }
Real log(Real x) { return apply("Log", x); }
Real power(Real x, Real exponent) { return apply("Pow", x, exponent); }
Real round(Real x) { return apply("Round", x); }
Real sign(Real x) { return apply("Sign", x); }
Real sin(Real x) { return apply("Sin", x); }
Real sqrt(Real x) { return apply("Sqrt", x); }

Real log1p(Real x) {
  const Real sum = 1 + x, rounded = sum - 1;
  const Real near = where(equal(rounded, 0), x, log(sum) * (x / rounded));
  return where(abs(x) < 0.5, near, log(sum));
}

Real polynomial(Real x, std::span<const double> coefficients) {
  Real sum = x.constant(coefficients.back());
  for (std::size_t i = coefficients.size() - 1; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

Tensor in_f64(Emit& e, const Tensor& self, Real (*function)(Real)) {
  const Tensor x = floats(e, self);
  return e.cast(function({&e, e.cast(x, DType::f64)}).value, x.dtype());
}

}  // namespace cameo::aten
