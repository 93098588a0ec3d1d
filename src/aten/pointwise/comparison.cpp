// Comparisons and questions about numbers.
#include <limits>

#include "aten/complex.h"
#include "aten/elementwise.h"
#include "aten/families.h"

namespace cameo::aten {
namespace {

Expr eq(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  return equal(a, b);
}
Expr ne(Emit& e, const Operand& self, const Operand& other) { return !eq(e, self, other); }
template <class A, class B>
Expr eq_complex(Emit& e, A self, B other) {
  const auto [a, b] = complex_operands(e, self, other);
  return equal(a, b);
}
template <class A, class B>
Expr ne_complex(Emit& e, A self, B other) {
  return !eq_complex(e, self, other);
}
Expr lt(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  return a < b;
}
Expr le(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  return a <= b;
}
Expr gt(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  return a > b;
}
Expr ge(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  return a >= b;
}

Expr everywhere(Emit& e, const Expr& self, bool answer) {
  return filled_like(e.scalar(DType::boolean, std::int64_t{answer}), self);
}

// Where both parts, or one of them, have a property.
template <Expr (*F)(Emit&, Expr)>
Expr both_parts(Emit& e, Tensor self) {
  const Complex x = parts_of(e, self);
  const Expr real = F(e, x.real);
  return real && F(e, x.imaginary);
}
template <Expr (*F)(Emit&, Expr)>
Expr one_part(Emit& e, Tensor self) {
  const Complex x = parts_of(e, self);
  const Expr real = F(e, x.real);
  return real || F(e, x.imaginary);
}

Expr isnan(Emit& e, Expr self) { return is_whole(self) ? everywhere(e, self, false) : is_nan(self); }

template <bool kPositive, bool kNegative>
Expr isinf(Emit& e, Expr self) {
  if (is_whole(self)) return everywhere(e, self, false);
  onnx::Attributes attributes;
  if (!kNegative) attributes.push_back({"detect_negative", std::int64_t{0}});
  if (!kPositive) attributes.push_back({"detect_positive", std::int64_t{0}});
  return e.op("IsInf", {self}, attributes);
}

// NaN is not less than anything.
Expr finite(Emit&, Expr x) { return abs(x) < std::numeric_limits<double>::infinity(); }

Expr isfinite(Emit& e, Expr self) { return is_whole(self) ? everywhere(e, self, true) : finite(e, self); }

Expr isclose(Emit& e, Expr self, Expr other, double rtol, double atol, bool equal_nan) {
  if (self.dtype() != other.dtype()) throw ProgramError("the tensors have different dtypes");
  Expr close = equal(self, other);
  const bool whole = is_whole(self);
  if (equal_nan && !whole) close = close || (is_nan(self) && is_nan(other));
  if (rtol == 0 && atol == 0) return close;
  const DType dtype = whole ? DType::f64 : self.dtype();
  const Expr a = cast(self, dtype), b = cast(other, dtype);
  const Expr apart = abs(a - b);
  const Expr allowed = abs(b) * rtol + atol;
  Expr near = apart <= allowed;
  if (!whole) near = near && finite(e, apart);
  return close || near;
}

Scalar all(Emit& e, Expr truths) {
  if (truths->has_rank() && truths->rank() == 0) return Scalar{truths};
  const Expr counterexamples =
      e.op("ReduceSum", {cast(!truths, DType::i64)}, {{"keepdims", std::int64_t{0}}});
  return Scalar{equal(counterexamples, 0)};
}

Scalar allclose(Emit& e, Expr self, Expr other, double rtol, double atol, bool equal_nan) {
  return all(e, isclose(e, self, other, rtol, atol, equal_nan));
}

Scalar equal(Emit& e, Expr self, Expr other) {
  if (self.rank() != other.rank()) return Scalar{false};
  for (std::int64_t axis = 0; axis < self.rank(); ++axis) {
    const sym::Truth same = e.sym().equal(self.dim(axis), other.dim(axis));
    if (same == sym::Truth::no) return Scalar{false};
    if (same == sym::Truth::unknown)
      throw Unsupported("the shapes of the tensors must be known to be equal at export time",
                        "compare their sizes first");
  }
  return all(e, eq(e, self, other));
}

Scalar is_nonzero(Emit&, Expr self) { return Scalar{reshape(cast(self, DType::boolean), {})}; }

constexpr Declaration kComparison[] = {
    op<on<eq, Tensor, Tensor>, eq_complex<Tensor, Tensor>>(
        "aten::eq.Tensor(Tensor self, Tensor other) -> Tensor", {.doc = "Where a equals b.",
                                                                 .quantized = OnQuantized::numbers,
                                                                 .aliases = {"prims::eq"},
                                                                 .result = Result::boolean}),
    op<on<eq, Tensor, Scalar>, eq_complex<Tensor, Scalar>>(
        "aten::eq.Scalar(Tensor self, Scalar other) -> Tensor",
        {.doc = "Where a equals b.", .quantized = OnQuantized::numbers, .result = Result::boolean}),
    op<on<eq, Scalar, Tensor>, eq_complex<Scalar, Tensor>>(
        "aten::eq.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
        {.doc = "Where a equals b.", .result = Result::boolean}),
    op<on<ne, Tensor, Tensor>, ne_complex<Tensor, Tensor>>(
        "aten::ne.Tensor(Tensor self, Tensor other) -> Tensor",
        {.doc = "Where a differs from b.",
         .quantized = OnQuantized::numbers,
         .aliases = {"aten::not_equal.Tensor", "prims::ne"},
         .result = Result::boolean}),
    op<on<ne, Tensor, Scalar>, ne_complex<Tensor, Scalar>>(
        "aten::ne.Scalar(Tensor self, Scalar other) -> Tensor", {.doc = "Where a differs from b.",
                                                                 .quantized = OnQuantized::numbers,
                                                                 .aliases = {"aten::not_equal.Scalar"},
                                                                 .result = Result::boolean}),
    op<on<ne, Scalar, Tensor>, ne_complex<Scalar, Tensor>>(
        "aten::ne.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
        {.doc = "Where a differs from b.", .result = Result::boolean}),
    op<on<lt, Tensor, Tensor>>("aten::lt.Tensor(Tensor self, Tensor other) -> Tensor",
                               {.doc = "Where a < b.",
                                .quantized = OnQuantized::numbers,
                                .aliases = {"aten::less.Tensor", "prims::lt"},
                                .result = Result::boolean}),
    op<on<lt, Tensor, Scalar>>("aten::lt.Scalar(Tensor self, Scalar other) -> Tensor",
                               {.doc = "Where a < b.",
                                .quantized = OnQuantized::numbers,
                                .aliases = {"aten::less.Scalar"},
                                .result = Result::boolean}),
    op<on<lt, Scalar, Tensor>>("aten::lt.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                               {.doc = "Where a < b.", .result = Result::boolean}),
    op<on<le, Tensor, Tensor>>("aten::le.Tensor(Tensor self, Tensor other) -> Tensor",
                               {.doc = "Where a <= b.",
                                .quantized = OnQuantized::numbers,
                                .aliases = {"aten::less_equal.Tensor", "prims::le"},
                                .result = Result::boolean}),
    op<on<le, Tensor, Scalar>>("aten::le.Scalar(Tensor self, Scalar other) -> Tensor",
                               {.doc = "Where a <= b.",
                                .quantized = OnQuantized::numbers,
                                .aliases = {"aten::less_equal.Scalar"},
                                .result = Result::boolean}),
    op<on<le, Scalar, Tensor>>("aten::le.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                               {.doc = "Where a <= b.", .result = Result::boolean}),
    op<on<gt, Tensor, Tensor>>("aten::gt.Tensor(Tensor self, Tensor other) -> Tensor",
                               {.doc = "Where a > b.",
                                .quantized = OnQuantized::numbers,
                                .aliases = {"aten::greater.Tensor", "prims::gt"},
                                .result = Result::boolean}),
    op<on<gt, Tensor, Scalar>>("aten::gt.Scalar(Tensor self, Scalar other) -> Tensor",
                               {.doc = "Where a > b.",
                                .quantized = OnQuantized::numbers,
                                .aliases = {"aten::greater.Scalar"},
                                .result = Result::boolean}),
    op<on<gt, Scalar, Tensor>>("aten::gt.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                               {.doc = "Where a > b.", .result = Result::boolean}),
    op<on<ge, Tensor, Tensor>>("aten::ge.Tensor(Tensor self, Tensor other) -> Tensor",
                               {.doc = "Where a >= b.",
                                .quantized = OnQuantized::numbers,
                                .aliases = {"aten::greater_equal.Tensor", "prims::ge"},
                                .result = Result::boolean}),
    op<on<ge, Tensor, Scalar>>("aten::ge.Scalar(Tensor self, Scalar other) -> Tensor",
                               {.doc = "Where a >= b.",
                                .quantized = OnQuantized::numbers,
                                .aliases = {"aten::greater_equal.Scalar"},
                                .result = Result::boolean}),
    op<on<ge, Scalar, Tensor>>("aten::ge.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                               {.doc = "Where a >= b.", .result = Result::boolean}),
    op<isnan, one_part<isnan>>("aten::isnan(Tensor self) -> Tensor",
                               {.doc = "Where an element is NaN.", .result = Result::boolean}),
    op<isinf<true, true>, one_part<isinf<true, true>>>(
        "aten::isinf(Tensor self) -> Tensor",
        {.doc = "Where an element is infinite.", .result = Result::boolean}),
    op<isinf<true, false>>("aten::isposinf(Tensor self) -> Tensor",
                           {.doc = "Where an element is infinity.", .result = Result::boolean}),
    op<isinf<false, true>>("aten::isneginf(Tensor self) -> Tensor",
                           {.doc = "Where an element is minus infinity.", .result = Result::boolean}),
    op<isfinite, both_parts<isfinite>>("aten::isfinite(Tensor self) -> Tensor",
                                       {.doc = "Where an element is neither infinite nor NaN.",
                                        .aliases = {"prims::isfinite"},
                                        .result = Result::boolean}),
    op<isclose>("aten::isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool "
                "equal_nan=False) -> Tensor",
                {.doc = "Where |a - b| <= atol + rtol |b|.", .result = Result::boolean}),
    op<allclose>("aten::allclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool "
                 "equal_nan=False) -> bool",
                 {.doc = "Whether all elements are close."}),
    op<equal>("aten::equal(Tensor self, Tensor other) -> bool",
              {.doc = "Whether shape and all elements are equal."}),
    op<is_nonzero>("aten::is_nonzero(Tensor self) -> bool",
                   {.doc = "Whether the only element is not 0.", .sample = "self=f32[1]"}),
};

}  // namespace

std::span<const Declaration> comparison_ops() { return kComparison; }

}  // namespace cameo::aten
