#include <limits>

#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

// Wider floats overflow to infinity, never to NaN.
Value* is_nan(Translation& t, Value* x) { return t.emit.op("IsNaN", {t.emit.cast(x, DType::f32)}); }

void is_nan_short(Translation& t) {
  if (t.node.inputs[0]->dtype() == DType::f64) t.instead = {is_nan(t, t.node.inputs[0])};
}

// Neither less nor greater, and no NaN.
void equal_integers_only(Translation& t) {
  no_small_integers(t);
  if (!t.instead.empty() || !is_floating(t.node.inputs[0]->dtype())) return;
  no_short_floats(t);
  if (!t.instead.empty()) return;
  Emit& e = t.emit;
  Value *a = t.node.inputs[0], *b = t.node.inputs[1];
  Value* differs = e.op("Or", {e.op("Less", {a, b}), e.op("Greater", {a, b})});
  t.instead = {e.op("Not", {e.op("Or", {differs, e.op("Or", {is_nan(t, a), is_nan(t, b)})})})};
}

// Not "not greater" of floats: that would be true of NaN.
template <bool kLess>
void or_equal(Translation& t) {
  Emit& e = t.emit;
  if (!is_floating(t.node.inputs[0]->dtype())) {
    t.instead = {e.op("Not", {e.op(kLess ? "Greater" : "Less", t.node.inputs)})};
    return;
  }
  Value* strictly = e.op(kLess ? "Less" : "Greater", t.node.inputs);
  t.instead = {e.op("Or", {strictly, e.op("Equal", t.node.inputs)})};
}

// The number beyond the largest one.
void is_infinite(Translation& t) {
  Emit& e = t.emit;
  Value* x = t.node.inputs[0];
  if (x->dtype() != DType::f64) x = e.cast(x, DType::f32);
  const double largest =
      x->dtype() == DType::f64 ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
  Value* above = e.op("Greater", {x, e.scalar(x->dtype(), largest)});
  Value* below = e.op("Less", {x, e.scalar(x->dtype(), -largest)});
  if (integer_attribute(t, "detect_negative", 1) == 0)
    t.instead = {above};
  else if (integer_attribute(t, "detect_positive", 1) == 0)
    t.instead = {below};
  else
    t.instead = {e.op("Or", {above, below})};
}

// Types are given, not inferred: formulas become nodes through this, and must not become formulas again.
template <bool kMax>
void extreme_of_integers(Translation& t) {
  no_short_floats(t);
  if (t.instead.empty()) no_small_integers(t);
  if (!t.instead.empty() || is_floating(t.node.inputs[0]->dtype()) || t.node.inputs.size() < 2) return;
  Emit& e = t.emit;
  std::vector<Value*> rest = t.node.inputs;
  Value* last = rest.back();
  rest.pop_back();
  Value* first = rest.size() == 1 ? rest.front() : e.op(t.node.op, rest);
  const Type& type = t.results[0].type;
  Value* before =
      e.op(kMax ? "Greater" : "Less", {first, last}, {}, Type{.dtype = DType::boolean, .shape = type.shape});
  t.instead = {e.op("Where", {before, first, last}, {}, type)};
}

Value* between(Translation& t) {
  Value* x = t.node.inputs[0];
  if (has_input(t, 1)) x = t.emit.op("Max", {x, t.node.inputs[1]});
  if (has_input(t, 2)) x = t.emit.op("Min", {x, t.node.inputs[2]});
  return x;
}

void clip_f32_only(Translation& t) {
  no_short_floats(t);
  if (t.instead.empty() && t.node.inputs[0]->dtype() != DType::f32) t.instead = {between(t)};
}

void clip_attributes(Translation& t) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  float bounds[] = {-kInfinity, kInfinity};
  for (std::size_t i : {1U, 2U}) {
    if (!has_input(t, i)) continue;
    if (!t.node.inputs[i]->constant()) {
      t.instead = {between(t)};
      return;
    }
    bounds[i - 1] = static_cast<float>(t.node.inputs[i]->data->real(0));
  }
  if (!(bounds[0] <= bounds[1])) {
    t.instead = {between(t)};
    return;
  }
  t.node.inputs.resize(1);
  t.node.attributes = {{"min", bounds[0]}, {"max", bounds[1]}};
}

void relu_of_integers(Translation& t) {
  Value* x = t.node.inputs[0];
  if (!is_floating(x->dtype()))
    t.instead = {t.emit.op("Max", {x, t.emit.scalar(x->dtype(), std::int64_t{0})})};
}

constexpr Revision kEqual[] = {{11, equal_integers_only}};
constexpr Revision kIsInf[] = {{20, no_short_floats}};
constexpr Revision kIsNan[] = {{20, [](Translation&) {}}, {13, is_nan_short}};
constexpr Revision kMaximum[] = {{12, extreme_of_integers<true>}};
constexpr Revision kMinimum[] = {{12, extreme_of_integers<false>}};
constexpr Revision kClip[] = {{12, clip_f32_only}, {11, clip_attributes}};
constexpr Revision kRelu[] = {{14, relu_of_integers}};
constexpr Revision kOrEqual[] = {{16, no_bf16}};

constexpr Revisions kComparison[] = {
    {"Equal", kEqual},
    {"IsInf", kIsInf, is_infinite},
    {"IsNaN", kIsNan},
    {"Max", kMaximum},
    {"Min", kMinimum},
    {"Clip", kClip},
    {"Relu", kRelu},
    {"LessOrEqual", kOrEqual, or_equal<true>},
    {"GreaterOrEqual", kOrEqual, or_equal<false>},
};

}  // namespace

std::span<const Revisions> comparison_revisions() { return kComparison; }

}  // namespace cameo::onnx
