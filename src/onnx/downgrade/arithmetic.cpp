#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

void celu(Translation& t) {
  const auto* given = t.node.attribute_if<float>("alpha");
  const double alpha = given ? *given : 1;
  Emit& e = t.emit;
  Value* x = t.node.inputs[0];
  Value* scaled = e.op("Elu", {e.op("Div", {x, e.scalar(x->dtype(), alpha)})}, {{"alpha", 1.0f}});
  Value* below = e.op("Mul", {scaled, e.scalar(x->dtype(), alpha)});
  t.instead = {e.op("Where", {e.op("Less", {x, e.scalar(x->dtype(), 0.0)}), below, x})};
}

void celu_f32_only(Translation& t) {
  if (t.node.inputs[0]->dtype() != DType::f32) celu(t);
}

// Both operands had the same floating-point type.
void power_of_floats(Translation& t) {
  Emit& e = t.emit;
  Value *base = t.node.inputs[0], *exponent = t.node.inputs[1];
  if (is_floating(base->dtype())) {
    t.node.inputs[1] = e.cast(exponent, base->dtype());
    return;
  }
  Value* power = e.op("Pow", {e.cast(base, DType::f64), e.cast(exponent, DType::f64)});
  t.instead = {e.cast(power, base->dtype())};
}

// Halves go to the even neighbour; infinities and NaN to themselves, as every comparison with them is false.
void round_half_to_even(Translation& t) {
  Emit& e = t.emit;
  Value* x = t.node.inputs[0];
  auto number = [&](double value) { return e.scalar(x->dtype(), value); };
  Value* below = e.op("Floor", {x});
  Value* above = e.op("Add", {below, number(1)});
  Value* rest = e.op("Sub", {x, below});
  Value* even = e.op("Mul", {e.op("Floor", {e.op("Mul", {above, number(0.5)})}), number(2)});
  Value* upwards = e.op("Where", {e.op("Greater", {rest, number(0.5)}), above, even});
  t.instead = {e.op("Where", {e.op("Less", {rest, number(0.5)}), below, upwards})};
}

bool never_negative(Translation& t, const Value* x) {
  if (x->constant())
    for (std::int64_t i = 0; i < x->data->numel(); ++i)
      if (x->data->integer(i) < 0) return false;
  if (x->constant()) return true;
  if (!x->elements) return false;
  for (const Dim& element : *x->elements)
    if (t.emit.sym().less_equal(0, element) != sym::Truth::yes) return false;
  return true;
}

// Types are given, not inferred: formulas become nodes through this, and must not become formulas again.
void remainder_of_integers(Translation& t) {
  Emit& e = t.emit;
  Value *a = t.node.inputs[0], *b = t.node.inputs[1];
  const Type& type = t.results[0].type;
  const Type truth{.dtype = DType::boolean, .shape = type.shape};
  // Not a - (a/b)*b: of a constant 1 ONNX Runtime would make a - b/b.
  Value* quotient = e.op("Neg", {e.op("Div", {a, b}, {}, type)}, {}, type);
  Value* rest = e.op("Add", {a, e.op("Mul", {quotient, b}, {}, type)}, {}, type);
  t.instead = {rest};
  if (integer_attribute(t, "fmod", 0) != 0 || (never_negative(t, a) && never_negative(t, b))) return;
  Value* zero = e.scalar(type.dtype, std::int64_t{0});
  Value* negative = e.op("Less", {b, zero}, {}, Type{.dtype = DType::boolean, .shape = b->type.shape});
  Value* crossed = e.op("Xor", {e.op("Less", {rest, zero}, {}, truth), negative}, {}, truth);
  Value* some = e.op("Not", {e.op("Equal", {rest, zero}, {}, truth)}, {}, truth);
  Value* wrong = e.op("And", {some, crossed}, {}, truth);
  t.instead = {e.op("Where", {wrong, e.op("Add", {rest, b}, {}, type), rest}, {}, type)};
}

void remainder(Translation& t) {
  no_small_integers(t);
  if (!t.instead.empty()) return;
  Emit& e = t.emit;
  Value *a = t.node.inputs[0], *b = t.node.inputs[1];
  if (!is_floating(a->dtype())) return remainder_of_integers(t);
  if (!b->constant() || b->data->numel() != 1 || b->data->real(0) != 1)
    needs(t, "no older operator gives the exact remainder of floats");
  Value* whole = e.op("Mul", {e.op("Sign", {a}), e.op("Floor", {e.op("Abs", {a})})});
  t.instead = {e.op("Sub", {a, whole})};
}

constexpr Revision kCelu[] = {{28, celu_f32_only}};
constexpr Revision kBasic[] = {{14, no_small_integers}};
constexpr Revision kPow[] = {{15, no_bf16}, {12, power_of_floats}};
constexpr Revision kWhere[] = {{16, no_bf16}};
constexpr Revision kRound[] = {{22, no_bf16}};

constexpr Revisions kArithmetic[] = {
    {"Add", kBasic},        {"Sub", kBasic},   {"Mul", kBasic},       {"Div", kBasic},
    {"Pow", kPow},          {"Where", kWhere}, {"Celu", kCelu, celu}, {"Round", kRound, round_half_to_even},
    {"Mod", {}, remainder},
};

}  // namespace

std::span<const Revisions> arithmetic_revisions() { return kArithmetic; }

}  // namespace cameo::onnx
