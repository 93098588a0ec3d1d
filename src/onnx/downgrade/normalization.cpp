#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

double epsilon(const Translation& t) {
  const auto* value = t.node.attribute_if<float>("epsilon");
  return value ? *value : 1e-5;
}

Value* filled(Emit& e, DType dtype, std::int64_t count, double value) {
  return e.expand(e.scalar(dtype, value), {count});
}

// Instances of one group each are normalised, then each channel is scaled and shifted.
void group_normalization(Translation& t) {
  Emit& e = t.emit;
  Value* x = t.node.inputs[0];
  const std::int64_t groups = integer_attribute(t, "num_groups", 1);
  if (!x->has_rank()) needs(t, "the number of axes is not known");
  const Shape shape = *x->type.shape;
  Dim each = sym::floordiv(shape[1], groups);
  for (std::size_t i = 2; i < shape.size(); ++i) each = each * shape[i];
  Value* grouped = e.reshape(x, {shape[0], groups, each});
  Value* normal = e.op("InstanceNormalization",
                       {grouped, filled(e, x->dtype(), groups, 1), filled(e, x->dtype(), groups, 0)},
                       {{"epsilon", static_cast<float>(epsilon(t))}});
  Shape channels(shape.size() - 1, 1);
  channels[0] = shape[1];
  Value* scaled = e.op("Mul", {e.reshape(normal, shape), e.reshape(t.node.inputs[1], channels)});
  t.instead = {e.op("Add", {scaled, e.reshape(t.node.inputs[2], channels)})};
}

// The axes from `axis` on.
Value* normalised_axes(Translation& t) {
  const Value* x = t.node.inputs[0];
  if (!x->has_rank()) needs(t, "the number of axes is not known");
  const std::int64_t axis = integer_attribute(t, "axis", -1);
  std::vector<std::int64_t> axes;
  for (std::int64_t i = axis < 0 ? axis + x->rank() : axis; i < x->rank(); ++i) axes.push_back(i);
  return t.emit.ints(axes);
}

bool stashed(const Translation& t) {
  const DType dtype = t.node.inputs[0]->dtype();
  return integer_attribute(t, "stash_type", 1) == 1 && (dtype == DType::f16 || dtype == DType::bf16);
}

void layer_normalization(Translation& t) {
  Emit& e = t.emit;
  const DType dtype = t.node.inputs[0]->dtype();
  const DType inner = stashed(t) ? DType::f32 : dtype;
  Value* x = e.cast(t.node.inputs[0], inner);
  Value* axes = normalised_axes(t);
  Value* mean = e.op("ReduceMean", {x, axes});
  Value* rest = e.op("Sub", {x, mean});
  Value* variance = e.op("ReduceMean", {e.op("Mul", {rest, rest}), axes});
  Value* deviation = e.op("Sqrt", {e.op("Add", {variance, e.scalar(inner, epsilon(t))})});
  Value* y = e.op("Mul", {e.cast(e.op("Div", {rest, deviation}), dtype), t.node.inputs[1]});
  if (has_input(t, 2)) y = e.op("Add", {y, t.node.inputs[2]});
  t.instead = {y};
  if (t.results.size() > 1) t.instead.push_back(mean);
  if (t.results.size() > 2) t.instead.push_back(e.op("Reciprocal", {deviation}));
}

void rms_normalization(Translation& t) {
  Emit& e = t.emit;
  const DType dtype = t.node.inputs[0]->dtype();
  const DType inner = stashed(t) ? DType::f32 : dtype;
  Value* x = e.cast(t.node.inputs[0], inner);
  Value* square = e.op("ReduceMean", {e.op("Mul", {x, x}), normalised_axes(t)});
  Value* root = e.op("Sqrt", {e.op("Add", {square, e.scalar(inner, epsilon(t))})});
  t.instead = {e.op("Mul", {e.cast(e.op("Div", {x, root}), dtype), t.node.inputs[1]})};
}

// (old, fresh) → old · momentum + fresh · (1 - momentum)
Value* running(Translation& t, Value* old, Value* fresh) {
  const auto* given = t.node.attribute_if<float>("momentum");
  const double momentum = given ? static_cast<double>(*given) : 0.9;
  Emit& e = t.emit;
  Value* kept = e.op("Mul", {old, e.scalar(old->dtype(), momentum)});
  Value* share = e.op("Mul", {e.reshape(fresh, *old->type.shape), e.scalar(old->dtype(), 1 - momentum)});
  return e.op("Add", {kept, share});
}

// Before 14, the number of results selected training or inference.
void batch_normalization(Translation& t) {
  const bool training = integer_attribute(t, "training_mode", 0) == 1;
  remove_attribute(t, "training_mode");
  if (!training) return;
  Emit& e = t.emit;
  Value* x = t.node.inputs[0];
  if (!x->has_rank() || !t.node.inputs[3]->has_rank()) needs(t, "the number of axes is not known");
  std::vector<std::int64_t> axes, inner;
  for (std::int64_t axis = 0; axis < x->rank(); ++axis)
    if (axis != 1) axes.push_back(axis);
  for (std::int64_t axis = 1; axis < x->rank() - 1; ++axis) inner.push_back(axis);
  Value* mean = e.op("ReduceMean", {x, e.ints(axes)});
  Value* rest = e.op("Sub", {x, mean});
  Value* variance = e.op("ReduceMean", {e.op("Mul", {rest, rest}), e.ints(axes)});
  Value* deviation = e.op("Sqrt", {e.op("Add", {variance, e.scalar(x->dtype(), epsilon(t))})});
  Value* scaled = e.op("Mul", {e.op("Div", {rest, deviation}), e.unsqueeze(t.node.inputs[1], inner)});
  t.instead = {e.op("Add", {scaled, e.unsqueeze(t.node.inputs[2], inner)}),
               running(t, t.node.inputs[3], mean), running(t, t.node.inputs[4], variance)};
  t.instead.resize(t.results.size());
}

// All had the type of what is normalised.
void one_type(Translation& t) {
  for (std::size_t i = 1; i < t.node.inputs.size(); ++i) {
    if (t.results.size() > 1 && t.node.inputs[i]->dtype() != t.node.inputs[0]->dtype())
      needs(t, "its statistics are of another type than what it normalises");
    t.node.inputs[i] = t.emit.cast(t.node.inputs[i], t.node.inputs[0]->dtype());
  }
}

constexpr Revision kBatch[] = {{15, one_type}, {14, batch_normalization}};

// Scale and bias came one a group before.
constexpr Revision kGroup[] = {{21, group_normalization}};

constexpr Revisions kNormalization[] = {
    {"BatchNormalization", kBatch},
    {"GroupNormalization", kGroup, group_normalization},
    {"LayerNormalization", {}, layer_normalization},
    {"RMSNormalization", {}, rms_normalization},
};

}  // namespace

std::span<const Revisions> normalization_revisions() { return kNormalization; }

}  // namespace cameo::onnx
