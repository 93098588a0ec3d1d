#include "aten/elementwise.h"

#include <fmt/core.h>

#include <algorithm>
#include <numbers>

namespace cameo::aten {
namespace {

using Set = std::uint64_t;

constexpr Set set(std::initializer_list<DType> dtypes) {
  Set bits = 0;
  for (DType dtype : dtypes) bits |= Set{1} << static_cast<int>(dtype);
  return bits;
}
constexpr bool has(Set bits, DType dtype) { return (bits >> static_cast<int>(dtype) & 1) != 0; }

constexpr Set kFloats = set({DType::f16, DType::f32, DType::f64});
constexpr Set kShortFloats = set({DType::f16, DType::f32});
constexpr Set kNumbers = kFloats | set({DType::u8, DType::i8, DType::i16, DType::i32, DType::i64});

constexpr Set kWide = set({DType::f32, DType::f64, DType::i32, DType::i64});

struct Row {
  std::string_view op;
  Set dtypes;
};

// The types that ONNX Runtime's CPU provider implements, for operators where ONNX permits more.
constexpr Row kImplemented[] = {
    {"Acos", kShortFloats},
    {"ArgMax", set({DType::f32, DType::f64}) | set({DType::u8, DType::i8, DType::i32, DType::i64})},
    {"ArgMin", set({DType::f32, DType::f64}) | set({DType::u8, DType::i8, DType::i32, DType::i64})},
    {"Asin", kShortFloats},
    {"Atan", kShortFloats},
    {"Clip", kNumbers & ~set({DType::i16})},
    {"CumSum", kWide},
    {"Equal", kNumbers | set({DType::boolean})},
    {"Erf", kShortFloats},
    {"EyeLike", kFloats | set({DType::i32, DType::i64})},
    {"Greater", kNumbers},
    {"GreaterOrEqual", kNumbers},
    {"Less", kNumbers},
    {"LessOrEqual", kNumbers},
    {"Max", kNumbers & ~set({DType::i16})},
    {"Min", kNumbers & ~set({DType::i16})},
    {"Neg", kNumbers & ~set({DType::u8})},
    {"NonZero", set({DType::boolean, DType::u8, DType::f32, DType::i32, DType::i64})},
    {"Pow", kFloats | set({DType::i32, DType::i64})},
    {"ReduceL1", set({DType::f32, DType::i32})},
    {"ReduceL2", set({DType::f32, DType::i32})},
    {"ReduceLogSumExp", set({DType::f32, DType::f64})},
    {"ReduceMax", kWide | set({DType::u8, DType::i8})},
    {"ReduceMean", set({DType::f32, DType::f64})},
    {"ReduceMin", kWide | set({DType::u8, DType::i8})},
    {"ReduceProd", set({DType::f32, DType::i32, DType::i64})},
    {"ReduceSum", kWide},
    {"ReduceSumSquare", set({DType::f32, DType::f64, DType::i32})},
    {"Relu", kFloats | set({DType::i8, DType::i32})},
    {"Sign", kNumbers},
    {"TopK", kWide},
    {"Trilu", kFloats | set({DType::boolean, DType::i32, DType::i64})},
    {"Unique", set({DType::f32, DType::f64, DType::i8, DType::i64})},
    {"Where", kFloats | set({DType::u8, DType::i32, DType::i64})},
};

Operands operands_of(Emit& e, const Operand& a, const Operand& b, DType dtype) {
  return {as(e, a, dtype), as(e, b, dtype)};
}

// ConstantOfShape where the number is known.
Expr filled_by(const Expr& value, onnx::Value* sizes) {
  Emit& e = *value.e;
  if (!value->constant()) return e.op("Expand", {value, sizes});
  if (value->dtype() == DType::f32 && value->data->real(0) == 0) return e.op("ConstantOfShape", {sizes});
  const Bytes bytes = value->data->bytes();
  auto element = std::make_shared<onnx::Data>(value->dtype(), std::vector<std::int64_t>{1},
                                              std::vector<std::byte>(bytes.begin(), bytes.end()));
  return e.op("ConstantOfShape", {sizes}, {{"value", onnx::DataPtr(element)}});
}

}  // namespace

DType implemented(std::string_view op, DType dtype) {
  const auto* row = std::ranges::find(kImplemented, op, &Row::op);
  if (row == std::end(kImplemented) || has(row->dtypes, dtype)) return dtype;
  auto first_of = [&](std::initializer_list<DType> wider) {
    for (DType candidate : wider)
      if (has(row->dtypes, candidate)) return candidate;
    return dtype;
  };
  switch (dtype) {
    case DType::boolean: return first_of({DType::u8, DType::i32});
    case DType::u8:
    case DType::i8:
    case DType::i16: return first_of({DType::i32, DType::i64});
    case DType::i32: return first_of({DType::i64});
    case DType::f16:
    case DType::bf16:
    case DType::f64: return first_of({DType::f32});
    default: return dtype;
  }
}

Operands operands(Emit& e, const Operand& a, const Operand& b) {
  return operands_of(e, a, b, result_type({a, b}));
}

Operands float_operands(Emit& e, const Operand& a, const Operand& b) {
  return operands_of(e, a, b, float_result(result_type({a, b})));
}

Expr floats(const Expr& self) { return cast(self, float_result(self.dtype())); }

bool is_whole(const ValueRef& self) { return is_integral(self.dtype()) || self.dtype() == DType::boolean; }

std::optional<double> known_number(const onnx::Value* value) {
  if (!value->constant() || !value->data->shape().empty()) return std::nullopt;
  return value->data->real(0);
}

double known_number(const Scalar& scalar, std::string_view name) {
  if (std::optional<double> known = scalar.known()) return *known;
  throw Unsupported(fmt::format("'{}' must be known at export time", name));
}

Expr lerp(const Expr& a, const Expr& b, const Expr& w) {
  const Expr way = b - a;
  const auto from_a = [&] { return a + w * way; };
  const auto from_b = [&] { return b - way * (1 - w); };
  if (const auto known = known_number(w)) return *known < 0.5 ? from_a() : from_b();
  const Expr nearer_a = w < 0.5, at_a = from_a();
  return where(nearer_a, at_a, from_b());
}

Expr filled(const Expr& value, const Shape& shape) {
  return shape.empty() ? value : filled_by(value, value.e->dims(shape));
}

Expr filled_like(const Expr& value, const Expr& shape_of) {
  if (shape_of->has_rank()) return filled(value, shape_of.shape());
  return filled_by(value, value.e->shape_of(shape_of));
}

Expr truncated(const Expr& x) {
  const Expr negative = x < 0, up = ceil(x);
  return where(negative, up, floor(x));
}

Expr softplus(const Expr& x) {
  if (x.dtype() != DType::f64) return compute(*x.e, "Softplus", {x});
  const Expr rest = log(exp(-abs(x)) + 1);
  return relu(x) + rest;
}

Expr angle_near(const Expr& guess, const Expr& sine, const Expr& cosine) {
  const Expr s = sin(guess), c = cos(guess);
  const Expr beside = sine * c - cosine * s;
  const Expr along = cosine * c + sine * s;
  return guess + beside / along;
}

Expr atan(const Expr& x) {
  const Expr guess = compute(*x.e, "Atan", {x});
  if (x.dtype() != DType::f64) return guess;
  const Expr sine = clip(x, -1, 1);
  return angle_near(guess, sine, reciprocal(maximum(abs(x), 1)));
}

// By the angle in the first quadrant, turned into the right one.
Expr angle_of(const Expr& y, const Expr& x) {
  const Expr zero = x.number(0);
  const Expr steep = atan(abs(y / x));
  const Expr angle = where(equal(y, zero), zero, steep);
  const Expr left = std::numbers::pi - angle;
  const Expr upper = where(x < zero, left, angle);
  return where(has_sign(y), -upper, upper);
}

Expr has_sign(const Expr& x) {
  const Expr below = x < 0;
  return is_floating(x.dtype()) ? below || reciprocal(x) < 0 : below;
}

}  // namespace cameo::aten
