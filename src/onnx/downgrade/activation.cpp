#include <cmath>
#include <numbers>

#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"
#include "onnx/graph/versions.h"

namespace cameo::onnx {
namespace {

Value* like(Translation& t, double value) { return t.emit.scalar(t.node.inputs[0]->dtype(), value); }

double float_attribute(const Translation& t, std::string_view name, double otherwise) {
  const auto* value = t.node.attribute_if<float>(name);
  return value ? *value : otherwise;
}

void gelu(Translation& t) {
  Emit& e = t.emit;
  Value* x = t.node.inputs[0];
  Value* inner = nullptr;
  if (text_attribute(t, "approximate", "none") == "tanh") {
    Value* cube = e.op("Mul", {e.op("Mul", {x, x}), x});
    Value* sum = e.op("Add", {x, e.op("Mul", {cube, like(t, 0.044715)})});
    inner = e.op("Tanh", {e.op("Mul", {sum, like(t, std::sqrt(2 / std::numbers::pi))})});
  } else {
    inner = e.op("Erf", {e.op("Div", {x, like(t, std::numbers::sqrt2)})});
  }
  t.instead = {e.op("Mul", {e.op("Mul", {x, e.op("Add", {inner, like(t, 1)})}), like(t, 0.5)})};
}

void mish(Translation& t) {
  Value* x = t.node.inputs[0];
  t.instead = {t.emit.op("Mul", {x, t.emit.op("Tanh", {t.emit.op("Softplus", {x})})})};
}

void swish(Translation& t) {
  Value* x = t.node.inputs[0];
  const double alpha = float_attribute(t, "alpha", 1);
  Value* inner = alpha == 1 ? x : t.emit.op("Mul", {x, like(t, alpha)});
  t.instead = {t.emit.op("Mul", {x, t.emit.op("Sigmoid", {inner})})};
}

void hard_swish(Translation& t) {
  Value* x = t.node.inputs[0];
  Value* gate = t.emit.op("HardSigmoid", {x}, {{"alpha", 1.0f / 6}, {"beta", 0.5f}});
  t.instead = {t.emit.op("Mul", {x, gate})};
}

void leaky_relu_f32_only(Translation& t) {
  Value* x = t.node.inputs[0];
  if (x->dtype() == DType::f32) return;
  Value* below = t.emit.op("Mul", {x, like(t, float_attribute(t, "alpha", 0.01))});
  t.instead = {t.emit.op("Where", {t.emit.op("Less", {x, like(t, 0)}), below, x})};
}

// Before 13 all axes from `axis` on were one.
void last_axis_only(Translation& t) {
  const Value* x = t.node.inputs[0];
  if (!x->has_rank()) needs(t, "the number of axes is not known");
  const std::int64_t rank = x->rank();
  std::int64_t axis = integer_attribute(t, "axis", -1);
  if (axis < 0) axis += rank;
  if (axis == rank - 1) return set_attribute(t, "axis", axis);
  std::vector<std::int64_t> perm;
  for (std::int64_t i = 0; i < rank; ++i) perm.push_back(i);
  std::swap(element_at(perm, axis), perm.back());
  Value* turned = t.emit.transpose(t.node.inputs[0], perm);
  t.instead = {t.emit.transpose(t.emit.op(t.node.op, {turned}, {{"axis", rank - 1}}), perm)};
}

constexpr Revision kSoftmax[] = {{13, last_axis_only}};
constexpr Revision kHardSwish[] = {{22, no_bf16}};
// As ONNX Runtime implements no more at any opset.
constexpr Revision kLeakyRelu[] = {{kMaxOpset + 1, leaky_relu_f32_only}};
constexpr Revision kSwish[] = {{kMaxOpset + 1, swish}};
constexpr Revision kMish[] = {{22, no_bf16}};

constexpr Revisions kActivation[] = {
    {"Gelu", {}, gelu},    {"LeakyRelu", kLeakyRelu},
    {"Mish", kMish, mish}, {"Swish", kSwish, swish},
    {"Softmax", kSoftmax}, {"LogSoftmax", kSoftmax},
    {"Hardmax", kSoftmax}, {"HardSwish", kHardSwish, hard_swish},
};

}  // namespace

std::span<const Revisions> activation_revisions() { return kActivation; }

}  // namespace cameo::onnx
