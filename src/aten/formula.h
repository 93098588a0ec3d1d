#pragma once
// Formulas of tensors, element by element, that read as they are written: exp(-x * x) / (1 + 2 * x). Operands
// of one formula have one dtype of floating point; numbers take it on.

#include <span>

#include "aten/arg.h"

namespace cameo::aten {

struct Truth {
  Emit* e;
  onnx::Value* value;
};

struct Real {
  Emit* e;
  onnx::Value* value;

  Real constant(double number) const;
};

Real operator+(Real a, Real b);
Real operator+(Real a, double b);
Real operator+(double a, Real b);
Real operator-(Real a, Real b);
Real operator-(Real a, double b);
Real operator-(double a, Real b);
Real operator-(Real a);
Real operator*(Real a, Real b);
Real operator*(Real a, double b);
Real operator*(double a, Real b);
Real operator/(Real a, Real b);
Real operator/(Real a, double b);
Real operator/(double a, Real b);

Truth operator<(Real a, Real b);
Truth operator<(Real a, double b);
Truth operator>(Real a, double b);
Truth equal(Real a, Real b);
Truth equal(Real a, double b);
Truth operator&&(Truth a, Truth b);
Truth operator||(Truth a, Truth b);
Real where(Truth condition, Real yes, Real no);
Real where(Truth condition, Real yes, double no);
Real where(Truth condition, double yes, Real no);

Real abs(Real x);
Real ceil(Real x);
Real cos(Real x);
Real exp(Real x);
Real floor(Real x);
Real log(Real x);
Real log1p(Real x);  // exact near 0
Real power(Real x, Real exponent);
Real round(Real x);
Real sign(Real x);
Real sin(Real x);
Real sqrt(Real x);
// c[0] + c[1] x + c[2] x² …
Real polynomial(Real x, std::span<const double> coefficients);

// The function of one argument, computed in f64 and rounded to the dtype that PyTorch gives; integers become
// f32 first.
Tensor in_f64(Emit& e, const Tensor& self, Real (*function)(Real));
template <Real (*F)(Real)>
Tensor precisely(Emit& e, Tensor self) {
  return in_f64(e, self, F);
}

}  // namespace cameo::aten
