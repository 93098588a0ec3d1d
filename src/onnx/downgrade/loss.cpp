// Losses of classes, and dropout.

#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

void loss_of_classes(Translation& t, Value* logarithms) {
  Emit& e = t.emit;
  const DType dtype = logarithms->dtype();
  Value *target = t.node.inputs[1], *zero = e.scalar(dtype, 0.0);
  Value* counts = nullptr;  // whether each target does
  if (attribute(t, "ignore_index")) {
    Value* ignored = e.scalar(target->dtype(), integer_attribute(t, "ignore_index", 0));
    counts = e.op("Not", {e.op("Equal", {target, ignored})});
    target = e.op("Where", {counts, target, e.scalar(target->dtype(), std::int64_t{0})});
  }
  Value* picked = e.op("GatherElements", {logarithms, e.unsqueeze(target, {1})}, {{"axis", std::int64_t{1}}});
  Value* loss = e.op("Neg", {e.squeeze(picked, {1})});
  Value* weight = e.expand(e.scalar(dtype, 1.0), shape_of(t, 1));
  if (has_input(t, 2)) weight = e.gather(t.node.inputs[2], target, 0);
  if (counts) weight = e.op("Where", {counts, weight, zero});
  if (has_input(t, 2)) loss = e.op("Mul", {loss, weight});
  if (counts) loss = e.op("Where", {counts, loss, zero});
  const std::string reduction = text_attribute(t, "reduction", "mean");
  const Attributes flat{{"keepdims", std::int64_t{0}}};
  if (reduction != "none") loss = e.op("ReduceSum", {loss}, flat);
  if (reduction == "mean") loss = e.op("Div", {loss, e.op("ReduceSum", {weight}, flat)});
  t.instead = {loss};
}

void negative_log_likelihood(Translation& t) { loss_of_classes(t, t.node.inputs[0]); }

void cross_entropy(Translation& t) {
  Value* logarithms = t.emit.op("LogSoftmax", {t.node.inputs[0]}, {{"axis", std::int64_t{1}}});
  loss_of_classes(t, logarithms);
  if (t.results.size() > 1) t.instead.push_back(logarithms);
}

// Nothing was dropped but in training, which the model could not ask for.
void dropout(Translation& t) {
  Emit& e = t.emit;
  Value* x = t.node.inputs[0];
  for (std::size_t i : {1U, 2U})
    if (has_input(t, i) && !t.node.inputs[i]->constant())
      needs(t, "its ratio is known only when the model runs");
  const double ratio = has_input(t, 1) ? t.node.inputs[1]->data->real(0) : 0.5;
  if (!has_input(t, 2) || t.node.inputs[2]->data->integer(0) == 0) {
    Value* all = e.expand(e.scalar(DType::boolean, std::int64_t{1}), shape_of(t, 0));
    t.instead = {e.identity(x), all};
  } else {
    Value* noise = e.op("RandomUniformLike", {x}, {{"dtype", std::int64_t{to_onnx(DType::f32)}}});
    Value* kept = e.op("Greater", {noise, e.scalar(DType::f32, ratio)});
    Value* scaled = e.op("Mul", {x, e.scalar(x->dtype(), ratio < 1 ? 1 / (1 - ratio) : 0.0)});
    t.instead = {e.op("Where", {kept, scaled, e.scalar(x->dtype(), 0.0)}), kept};
  }
  t.instead.resize(t.results.size());
}

constexpr Revision kLikelihood[] = {{22, no_bf16}};
constexpr Revision kDropout[] = {{12, dropout}};

constexpr Revisions kLoss[] = {
    {"NegativeLogLikelihoodLoss", kLikelihood, negative_log_likelihood},
    {"SoftmaxCrossEntropyLoss", {}, cross_entropy},
    {"Dropout", kDropout},
};

}  // namespace

std::span<const Revisions> loss_revisions() { return kLoss; }

}  // namespace cameo::onnx
