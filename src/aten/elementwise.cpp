#include "aten/elementwise.h"

#include <fmt/format.h>

#include <algorithm>

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

// What ONNX Runtime's CPU provider implements, for operators where it is less than ONNX admits.
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

void refuse_complex(DType dtype) {
  if (is_complex(dtype)) throw Unsupported("complex numbers are not supported");
}

Operands operands_of(Emit& e, const Operand& a, const Operand& b, DType dtype) {
  refuse_complex(dtype);
  return {as(e, a, dtype), as(e, b, dtype)};
}

// ConstantOfShape where the number is known.
onnx::Value* filled_by(Emit& e, onnx::Value* value, onnx::Value* sizes) {
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

onnx::Value* compute(Emit& e, std::string_view op, std::vector<onnx::Value*> inputs,
                     onnx::Attributes attributes) {
  const DType dtype = inputs[op == "Where" ? 1 : 0]->dtype();
  const DType inside = implemented(op, dtype);
  if (inside == dtype) return e.op(op, std::move(inputs), std::move(attributes));
  for (std::size_t i = op == "Where" ? 1 : 0; i < inputs.size(); ++i)
    if (inputs[i] && inputs[i]->dtype() == dtype) inputs[i] = e.cast(inputs[i], inside);
  onnx::Value* result = e.op(op, std::move(inputs), std::move(attributes));
  return result->dtype() == inside ? e.cast(result, dtype) : result;
}

Operands operands(Emit& e, const Operand& a, const Operand& b) {
  return operands_of(e, a, b, result_type({a, b}));
}

Operands float_operands(Emit& e, const Operand& a, const Operand& b) {
  return operands_of(e, a, b, float_result(result_type({a, b})));
}

Tensor floats(Emit& e, const Tensor& self) {
  refuse_complex(self.dtype());
  return e.cast(self, float_result(self.dtype()));
}

bool is_whole(const Tensor& self) { return is_integral(self.dtype()) || self.dtype() == DType::boolean; }

onnx::Value* like(Emit& e, const onnx::Value* like, double number) { return e.scalar(like->dtype(), number); }

std::optional<double> known_number(const onnx::Value* value) {
  if (!value->constant() || !value->data->shape().empty()) return std::nullopt;
  return value->data->real(0);
}

double known_number(const Scalar& scalar, std::string_view name) {
  if (std::optional<double> known = scalar.known()) return *known;
  throw Unsupported(fmt::format("'{}' must be known at export time", name));
}

onnx::Value* lerp(Emit& e, onnx::Value* a, onnx::Value* b, onnx::Value* w) {
  onnx::Value* way = e.op("Sub", {b, a});
  const auto from_a = [&] { return e.op("Add", {a, e.op("Mul", {w, way})}); };
  const auto from_b = [&] { return e.op("Sub", {b, e.op("Mul", {way, e.op("Sub", {like(e, w, 1), w})})}); };
  if (const auto known = known_number(w)) return *known < 0.5 ? from_a() : from_b();
  return compute(e, "Where", {e.op("Less", {w, like(e, w, 0.5)}), from_a(), from_b()});
}

onnx::Value* filled(Emit& e, onnx::Value* value, const Shape& shape) {
  return shape.empty() ? value : filled_by(e, value, e.dims(shape));
}

onnx::Value* filled_like(Emit& e, onnx::Value* value, const Tensor& shape_of) {
  if (shape_of->has_rank()) return filled(e, value, shape_of.shape());
  return filled_by(e, value, e.shape_of(shape_of));
}

onnx::Value* maximum(Emit& e, onnx::Value* a, onnx::Value* b) {
  return a->dtype() == DType::boolean ? e.op("Or", {a, b}) : compute(e, "Max", {a, b});
}

onnx::Value* minimum(Emit& e, onnx::Value* a, onnx::Value* b) {
  return a->dtype() == DType::boolean ? e.op("And", {a, b}) : compute(e, "Min", {a, b});
}

onnx::Value* truncated(Emit& e, onnx::Value* x) {
  onnx::Value* negative = e.op("Less", {x, like(e, x, 0)});
  return e.op("Where", {negative, e.op("Ceil", {x}), e.op("Floor", {x})});
}

onnx::Value* softplus(Emit& e, onnx::Value* x) {
  if (x->dtype() != DType::f64) return e.op("Softplus", {x});
  onnx::Value* small = e.op("Exp", {e.op("Neg", {e.op("Abs", {x})})});
  onnx::Value* rest = e.op("Log", {e.op("Add", {small, like(e, x, 1)})});
  return e.op("Add", {e.op("Relu", {x}), rest});
}

onnx::Value* angle_near(Emit& e, onnx::Value* guess, onnx::Value* sine, onnx::Value* cosine) {
  auto times = [&](onnx::Value* a, onnx::Value* b) { return e.op("Mul", {a, b}); };
  onnx::Value *s = e.op("Sin", {guess}), *c = e.op("Cos", {guess});
  onnx::Value* beside = e.op("Sub", {times(sine, c), times(cosine, s)});
  onnx::Value* along = e.op("Add", {times(cosine, c), times(sine, s)});
  return e.op("Add", {guess, e.op("Div", {beside, along})});
}

onnx::Value* atan(Emit& e, onnx::Value* x) {
  onnx::Value* guess = compute(e, "Atan", {x});
  if (x->dtype() != DType::f64) return guess;
  onnx::Value* one = like(e, x, 1);
  onnx::Value* sine = e.op("Clip", {x, like(e, x, -1), one});
  return angle_near(e, guess, sine, e.op("Reciprocal", {e.op("Max", {e.op("Abs", {x}), one})}));
}

onnx::Value* has_sign(Emit& e, onnx::Value* x) {
  onnx::Value* zero = like(e, x, 0);
  onnx::Value* below = compute(e, "Less", {x, zero});
  if (!is_floating(x->dtype())) return below;
  return e.op("Or", {below, e.op("Less", {e.op("Reciprocal", {x}), zero})});
}

}  // namespace cameo::aten
