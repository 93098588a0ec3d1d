// Comparisons and questions about numbers.
#include <limits>

#include "aten/elementwise.h"
#include "aten/families.h"

namespace cameo::aten {
namespace {

using onnx::Value;

Tensor eq(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  return e.op("Equal", {a, b});
}
Tensor ne(Emit& e, const Operand& self, const Operand& other) { return e.op("Not", {eq(e, self, other)}); }
Tensor lt(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  return compute(e, "Less", {a, b});
}
Tensor le(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  return compute(e, "LessOrEqual", {a, b});
}
Tensor gt(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  return compute(e, "Greater", {a, b});
}
Tensor ge(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  return compute(e, "GreaterOrEqual", {a, b});
}

Value* everywhere(Emit& e, const Tensor& self, bool answer) {
  return filled_like(e, e.scalar(DType::boolean, std::int64_t{answer}), self);
}

Tensor isnan(Emit& e, Tensor self) {
  return is_whole(self) ? everywhere(e, self, false) : e.op("IsNaN", {self});
}

template <bool kPositive, bool kNegative>
Tensor isinf(Emit& e, Tensor self) {
  if (is_whole(self)) return everywhere(e, self, false);
  onnx::Attributes attributes;
  if (!kNegative) attributes.push_back({"detect_negative", std::int64_t{0}});
  if (!kPositive) attributes.push_back({"detect_positive", std::int64_t{0}});
  return e.op("IsInf", {self}, attributes);
}

// NaN is not less than anything.
Value* finite(Emit& e, Value* x) {
  return e.op("Less", {e.op("Abs", {x}), like(e, x, std::numeric_limits<double>::infinity())});
}

Tensor isfinite(Emit& e, Tensor self) { return is_whole(self) ? everywhere(e, self, true) : finite(e, self); }

Tensor isclose(Emit& e, Tensor self, Tensor other, double rtol, double atol, bool equal_nan) {
  if (self.dtype() != other.dtype()) throw ProgramError("the tensors have different dtypes");
  Value* close = e.op("Equal", {self, other});
  const bool whole = is_whole(self);
  if (equal_nan && !whole)
    close = e.op("Or", {close, e.op("And", {e.op("IsNaN", {self}), e.op("IsNaN", {other})})});
  if (rtol == 0 && atol == 0) return close;
  const DType dtype = whole ? DType::f64 : self.dtype();
  Value *a = e.cast(self, dtype), *b = e.cast(other, dtype);
  Value* apart = e.op("Abs", {e.op("Sub", {a, b})});
  Value* allowed = e.op("Add", {e.op("Mul", {e.op("Abs", {b}), like(e, b, rtol)}), like(e, b, atol)});
  Value* near = e.op("LessOrEqual", {apart, allowed});
  if (!whole) near = e.op("And", {near, finite(e, apart)});
  return e.op("Or", {close, near});
}

Scalar all(Emit& e, Value* truths) {
  if (truths->has_rank() && truths->rank() == 0) return Scalar{truths};
  Value* counterexamples =
      e.op("ReduceSum", {e.cast(e.op("Not", {truths}), DType::i64)}, {{"keepdims", std::int64_t{0}}});
  return Scalar{e.op("Equal", {counterexamples, e.scalar(DType::i64, std::int64_t{0})})};
}

Scalar allclose(Emit& e, Tensor self, Tensor other, double rtol, double atol, bool equal_nan) {
  return all(e, isclose(e, self, other, rtol, atol, equal_nan));
}

Scalar equal(Emit& e, Tensor self, Tensor other) {
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

Scalar is_nonzero(Emit& e, Tensor self) { return Scalar{e.reshape(e.cast(self, DType::boolean), {})}; }

constexpr Declaration kComparison[] = {
    op<on<eq, Tensor, Tensor>>("aten::eq.Tensor(Tensor self, Tensor other) -> Tensor",
                               {.doc = "Where a equals b.", .result = Result::boolean}),
    op<on<eq, Tensor, Scalar>>("aten::eq.Scalar(Tensor self, Scalar other) -> Tensor",
                               {.doc = "Where a equals b.", .result = Result::boolean}),
    op<on<eq, Scalar, Tensor>>("aten::eq.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                               {.doc = "Where a equals b.", .result = Result::boolean}),
    op<on<ne, Tensor, Tensor>>(
        "aten::ne.Tensor(Tensor self, Tensor other) -> Tensor",
        {.doc = "Where a differs from b.", .aliases = {"aten::not_equal.Tensor"}, .result = Result::boolean}),
    op<on<ne, Tensor, Scalar>>(
        "aten::ne.Scalar(Tensor self, Scalar other) -> Tensor",
        {.doc = "Where a differs from b.", .aliases = {"aten::not_equal.Scalar"}, .result = Result::boolean}),
    op<on<ne, Scalar, Tensor>>("aten::ne.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                               {.doc = "Where a differs from b.", .result = Result::boolean}),
    op<on<lt, Tensor, Tensor>>(
        "aten::lt.Tensor(Tensor self, Tensor other) -> Tensor",
        {.doc = "Where a < b.", .aliases = {"aten::less.Tensor"}, .result = Result::boolean}),
    op<on<lt, Tensor, Scalar>>(
        "aten::lt.Scalar(Tensor self, Scalar other) -> Tensor",
        {.doc = "Where a < b.", .aliases = {"aten::less.Scalar"}, .result = Result::boolean}),
    op<on<lt, Scalar, Tensor>>("aten::lt.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                               {.doc = "Where a < b.", .result = Result::boolean}),
    op<on<le, Tensor, Tensor>>(
        "aten::le.Tensor(Tensor self, Tensor other) -> Tensor",
        {.doc = "Where a <= b.", .aliases = {"aten::less_equal.Tensor"}, .result = Result::boolean}),
    op<on<le, Tensor, Scalar>>(
        "aten::le.Scalar(Tensor self, Scalar other) -> Tensor",
        {.doc = "Where a <= b.", .aliases = {"aten::less_equal.Scalar"}, .result = Result::boolean}),
    op<on<le, Scalar, Tensor>>("aten::le.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                               {.doc = "Where a <= b.", .result = Result::boolean}),
    op<on<gt, Tensor, Tensor>>(
        "aten::gt.Tensor(Tensor self, Tensor other) -> Tensor",
        {.doc = "Where a > b.", .aliases = {"aten::greater.Tensor"}, .result = Result::boolean}),
    op<on<gt, Tensor, Scalar>>(
        "aten::gt.Scalar(Tensor self, Scalar other) -> Tensor",
        {.doc = "Where a > b.", .aliases = {"aten::greater.Scalar"}, .result = Result::boolean}),
    op<on<gt, Scalar, Tensor>>("aten::gt.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                               {.doc = "Where a > b.", .result = Result::boolean}),
    op<on<ge, Tensor, Tensor>>(
        "aten::ge.Tensor(Tensor self, Tensor other) -> Tensor",
        {.doc = "Where a >= b.", .aliases = {"aten::greater_equal.Tensor"}, .result = Result::boolean}),
    op<on<ge, Tensor, Scalar>>(
        "aten::ge.Scalar(Tensor self, Scalar other) -> Tensor",
        {.doc = "Where a >= b.", .aliases = {"aten::greater_equal.Scalar"}, .result = Result::boolean}),
    op<on<ge, Scalar, Tensor>>("aten::ge.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                               {.doc = "Where a >= b.", .result = Result::boolean}),
    op<isnan>("aten::isnan(Tensor self) -> Tensor",
              {.doc = "Where an element is NaN.", .result = Result::boolean}),
    op<isinf<true, true>>("aten::isinf(Tensor self) -> Tensor",
                          {.doc = "Where an element is infinite.", .result = Result::boolean}),
    op<isinf<true, false>>("aten::isposinf(Tensor self) -> Tensor",
                           {.doc = "Where an element is infinity.", .result = Result::boolean}),
    op<isinf<false, true>>("aten::isneginf(Tensor self) -> Tensor",
                           {.doc = "Where an element is minus infinity.", .result = Result::boolean}),
    op<isfinite>("aten::isfinite(Tensor self) -> Tensor",
                 {.doc = "Where an element is neither infinite nor NaN.", .result = Result::boolean}),
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
