#include "onnx/opset/families.h"
#include "onnx/opset/steps.h"

namespace cameo::onnx {
namespace {

// Of 16-bit and 8-bit floats only the widest types were taken; infinities and NaN stay what they are in f32.
void f16_as_f32(Translation& t) {
  no_bf16(t);
  if (t.instead.empty() && uses(t, DType::f16)) through(t, DType::f16, DType::f32);
}

// Not "not greater": that would be true of NaN.
template <bool kLess>
void or_equal(Translation& t) {
  Value* strictly = t.emit.op(kLess ? "Less" : "Greater", t.node.inputs);
  t.instead = {t.emit.op("Or", {strictly, t.emit.op("Equal", t.node.inputs)})};
}

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

void range_small_floats(Translation& t) {
  f16_as_f32(t);
  remove_attribute(t, "stash_type");
}

constexpr Revision kIsInf[] = {{20, f16_as_f32}};
constexpr Revision kIsNan[] = {{20, [](Translation&) {}}, {13, no_bf16}};
constexpr Revision kCelu[] = {{28, celu_f32_only}};
constexpr Revision kRange[] = {{27, range_small_floats}};
constexpr Revision kBasic[] = {{14, no_small_integers}, {13, no_bf16}};
constexpr Revision kPow[] = {{15, no_bf16}};
constexpr Revision kWhere[] = {{16, no_bf16}};
constexpr Revision kTopK[] = {{24, no_bf16}};

constexpr Revisions kArithmetic[] = {
    {"Add", kBasic},
    {"Sub", kBasic},
    {"Mul", kBasic},
    {"Div", kBasic},
    {"Pow", kPow},
    {"Where", kWhere},
    {"TopK", kTopK},
    {"IsInf", kIsInf},
    {"IsNaN", kIsNan},
    {"Celu", kCelu, celu},
    {"Range", kRange},
    {"LessOrEqual", {}, or_equal<true>},
    {"GreaterOrEqual", {}, or_equal<false>},
};

}  // namespace

std::span<const Revisions> arithmetic_revisions() { return kArithmetic; }

}  // namespace cameo::onnx
