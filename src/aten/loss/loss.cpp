// Losses between a prediction and a target.
#include <numbers>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using onnx::Value;

Value* difference(Emit& e, const Tensor& self, const Tensor& target) {
  const Operands x = operands(e, self, target);
  return e.op("Sub", {x.a, x.b});
}

Tensor mse_loss(Emit& e, Tensor self, Tensor target, std::int64_t reduction) {
  Value* d = difference(e, self, target);
  return reduce_loss(e, e.op("Mul", {d, d}), reduction);
}

Tensor l1_loss(Emit& e, Tensor self, Tensor target, std::int64_t reduction) {
  return reduce_loss(e, e.op("Abs", {difference(e, self, target)}), reduction);
}

// factor * d² near 0, slope * (|d| - bound / 2) beyond `bound`.
Tensor rounded_loss(Emit& e, const Tensor& self, const Tensor& target, double bound, double factor,
                    double slope, std::int64_t reduction) {
  Value* d = difference(e, self, target);
  Value* size = e.op("Abs", {d});
  Value* near = e.op("Mul", {e.op("Mul", {d, d}), like(e, d, factor)});
  Value* far = e.op("Sub", {size, like(e, d, bound / 2)});
  if (slope != 1) far = e.op("Mul", {far, like(e, d, slope)});
  return reduce_loss(e, compute(e, "Where", {e.op("Less", {size, like(e, d, bound)}), near, far}), reduction);
}

Tensor smooth_l1_loss(Emit& e, Tensor self, Tensor target, std::int64_t reduction, double beta) {
  if (beta < 0) throw ProgramError("'beta' must not be negative");
  if (beta == 0) return l1_loss(e, self, target, reduction);
  return rounded_loss(e, self, target, beta, 0.5 / beta, 1, reduction);
}

Tensor huber_loss(Emit& e, Tensor self, Tensor target, std::int64_t reduction, double delta) {
  if (delta <= 0) throw ProgramError("'delta' must be positive");
  return rounded_loss(e, self, target, delta, 0.5, delta, reduction);
}

Value* weighted(Emit& e, Value* loss, const std::optional<Tensor>& weight) {
  return weight ? e.op("Mul", {loss, e.cast(*weight, loss->dtype())}) : loss;
}

// Logarithms are cut off at -100.
Tensor binary_cross_entropy(Emit& e, Tensor self, Tensor target, std::optional<Tensor> weight,
                            std::int64_t reduction) {
  const Operands x = float_operands(e, self, target);
  Value* one = like(e, x.a, 1);
  auto logarithm = [&](Value* p) { return maximum(e, e.op("Log", {p}), like(e, x.a, -100)); };
  Value* of_false = e.op("Mul", {e.op("Sub", {x.b, one}), logarithm(e.op("Sub", {one, x.a}))});
  Value* of_true = e.op("Mul", {x.b, logarithm(x.a)});
  return reduce_loss(e, weighted(e, e.op("Sub", {of_false, of_true}), weight), reduction);
}

// (1 - target) * x + weight * log(1 + exp(-x))
Tensor binary_cross_entropy_with_logits(Emit& e, Tensor self, Tensor target, std::optional<Tensor> weight,
                                        std::optional<Tensor> pos_weight, std::int64_t reduction) {
  const Operands x = float_operands(e, self, target);
  Value* one = like(e, x.a, 1);
  Value* rest = softplus(e, e.op("Neg", {x.a}));
  if (pos_weight) {
    Value* more = e.op("Sub", {e.cast(*pos_weight, x.dtype()), one});
    rest = e.op("Mul", {rest, e.op("Add", {e.op("Mul", {more, x.b}), one})});
  }
  Value* loss = e.op("Add", {e.op("Mul", {e.op("Sub", {one, x.b}), x.a}), rest});
  return reduce_loss(e, weighted(e, loss, weight), reduction);
}

Tensor kl_div(Emit& e, Tensor self, Tensor target, std::int64_t reduction, bool log_target) {
  const Operands x = float_operands(e, self, target);
  if (log_target)
    return reduce_loss(e, e.op("Mul", {e.op("Exp", {x.b}), e.op("Sub", {x.b, x.a})}), reduction);
  Value* zero = like(e, x.a, 0);
  Value* own =
      compute(e, "Where", {compute(e, "Equal", {x.b, zero}), zero, e.op("Mul", {x.b, e.op("Log", {x.b})})});
  return reduce_loss(e, e.op("Sub", {own, e.op("Mul", {x.b, x.a})}), reduction);
}

const char* reduction_name(std::int64_t reduction) {
  return reduction == 0 ? "none" : reduction == 1 ? "mean" : "sum";
}

onnx::Attributes loss_attributes(std::int64_t reduction, std::int64_t ignore_index) {
  onnx::Attributes attributes{{"ignore_index", ignore_index}};
  if (reduction != 1) attributes.push_back({"reduction", std::string(reduction_name(reduction))});
  return attributes;
}

// Both operators want a batch.
Tensor class_loss(Emit& e, const char* op, const Tensor& self, const Tensor& target,
                  const std::optional<Tensor>& weight, std::int64_t reduction, std::int64_t ignore_index) {
  const bool single = self.rank() == 1;
  Value* scores = single ? e.unsqueeze(self, {0}) : self.value;
  Value* labels = e.cast(single ? e.reshape(target, {1}) : target.value, DType::i64);
  std::vector<Value*> inputs{scores, labels};
  if (weight) inputs.push_back(e.cast(*weight, self.dtype()));
  Value* loss = e.op(op, std::move(inputs), loss_attributes(reduction, ignore_index));
  return single && reduction == 0 ? Tensor(e.reshape(loss, {})) : Tensor(loss);
}

Tensor nll_loss(Emit& e, Tensor self, Tensor target, std::optional<Tensor> weight, std::int64_t reduction,
                std::int64_t ignore_index) {
  return class_loss(e, "NegativeLogLikelihoodLoss", self, target, weight, reduction, ignore_index);
}

Value* log_probabilities(Emit& e, const Tensor& self) {
  return e.op("LogSoftmax", {self}, {{"axis", std::int64_t{self.rank() > 1 ? 1 : 0}}});
}

// The weights along the classes of a loss of this rank.
Value* class_weights(Emit& e, const Tensor& weight, const Tensor& self) {
  Shape shape(self.shape().size(), Dim(1));
  shape[self.rank() > 1 ? 1 : 0] = weight.dim(0);
  return e.reshape(e.cast(weight, self.dtype()), shape);
}

Tensor cross_entropy_of_probabilities(Emit& e, const Tensor& self, const Tensor& target,
                                      const std::optional<Tensor>& weight, std::int64_t reduction,
                                      double smoothing) {
  const std::int64_t axis = self.rank() > 1 ? 1 : 0;
  Value* wanted = e.cast(target, self.dtype());
  if (smoothing > 0) {
    std::optional<std::int64_t> classes = self.dim(axis).as_constant();
    if (!classes) throw Unsupported("label smoothing needs a known number of classes");
    wanted = e.op("Add", {e.op("Mul", {wanted, like(e, wanted, 1 - smoothing)}),
                          like(e, wanted, smoothing / static_cast<double>(*classes))});
  }
  Value* log_p = log_probabilities(e, self);
  if (weight) log_p = e.op("Mul", {log_p, class_weights(e, *weight, self)});
  Value* loss = e.op("Neg", {reduce(e, "ReduceSum", e.op("Mul", {log_p, wanted}), {axis}, false)});
  return reduce_loss(e, loss, reduction);
}

// Part of the loss is spread over all classes.
Tensor smoothed_cross_entropy(Emit& e, const Tensor& self, const Tensor& target,
                              const std::optional<Tensor>& weight, std::int64_t reduction,
                              std::int64_t ignore_index, double smoothing) {
  const std::int64_t axis = self.rank() > 1 ? 1 : 0;
  std::optional<std::int64_t> classes = self.dim(axis).as_constant();
  if (!classes) throw Unsupported("label smoothing needs a known number of classes");
  const Tensor log_p = log_probabilities(e, self);
  const Tensor plain = nll_loss(e, log_p, target, weight, reduction, ignore_index);
  Value* spread_terms = weight ? e.op("Mul", {log_p, class_weights(e, *weight, self)}) : log_p.value;
  Value* smooth = e.op("Neg", {reduce(e, "ReduceSum", spread_terms, {axis}, false)});
  Value* labels = e.cast(target, DType::i64);
  Value* ignored = e.op("Equal", {labels, e.dim(ignore_index)});
  smooth = compute(e, "Where", {ignored, like(e, smooth, 0), smooth});
  if (reduction == 1) {
    Value* total = reduce(e, "ReduceSum", smooth, all_axes(smooth), false);
    Value* one = like(e, smooth, 1);
    Value* share = one;
    if (weight) {
      Value* safe = compute(e, "Where", {ignored, e.dim(0), labels});
      share = e.gather(e.cast(*weight, self.dtype()), safe, 0);
    }
    Value* counted =
        e.expand(compute(e, "Where", {ignored, like(e, smooth, 0), share}), Tensor(smooth).shape());
    smooth = e.op("Div", {total, reduce(e, "ReduceSum", counted, all_axes(counted), false)});
  } else {
    smooth = reduce_loss(e, smooth, reduction);
  }
  return e.op("Add", {e.op("Mul", {plain, like(e, smooth, 1 - smoothing)}),
                      e.op("Mul", {smooth, like(e, smooth, smoothing / static_cast<double>(*classes))})});
}

Tensor cross_entropy_loss(Emit& e, Tensor self, Tensor target, std::optional<Tensor> weight,
                          std::int64_t reduction, std::int64_t ignore_index, double label_smoothing) {
  if (is_floating(target.dtype()))
    return cross_entropy_of_probabilities(e, self, target, weight, reduction, label_smoothing);
  if (label_smoothing > 0)
    return smoothed_cross_entropy(e, self, target, weight, reduction, ignore_index, label_smoothing);
  return class_loss(e, "SoftmaxCrossEntropyLoss", self, target, weight, reduction, ignore_index);
}

Tensor soft_margin_loss(Emit& e, Tensor self, Tensor target, std::int64_t reduction) {
  const Operands x = float_operands(e, self, target);
  return reduce_loss(e, softplus(e, e.op("Neg", {e.op("Mul", {x.a, x.b})})), reduction);
}

Tensor margin_ranking_loss(Emit& e, Tensor input1, Tensor input2, Tensor target, double margin,
                           std::int64_t reduction) {
  const Operands x = operands(e, Tensor(difference(e, input2, input1)), target);
  Value* gap = floats(e, compute(e, "Mul", {x.a, x.b}));  // the margin is a float, also if it is 0
  if (margin != 0) gap = e.op("Add", {gap, like(e, gap, margin)});
  return reduce_loss(e, e.op("Relu", {gap}), reduction);
}

Value* is_sign(Emit& e, const Tensor& target, std::int64_t sign) {
  return compute(e, "Equal", {target, e.scalar(target.dtype(), sign)});
}

Tensor hinge_embedding_loss(Emit& e, Tensor self, Tensor target, double margin, std::int64_t reduction) {
  const Tensor x = floats(e, self);
  Value* zero = like(e, x, 0);
  Value* hinge = e.op("Relu", {e.op("Sub", {like(e, x, margin), x})});
  Value* unlike = compute(e, "Where", {is_sign(e, target, 1), zero, hinge});
  Value* alike = compute(e, "Where", {is_sign(e, target, -1), zero, x});
  return reduce_loss(e, e.op("Add", {unlike, alike}), reduction);
}

Tensor poisson_nll_loss(Emit& e, Tensor input, Tensor target, bool log_input, bool full, double eps,
                        std::int64_t reduction) {
  const Operands x = float_operands(e, input, target);
  Value* loss =
      log_input
          ? e.op("Sub", {e.op("Exp", {x.a}), e.op("Mul", {x.b, x.a})})
          : e.op("Sub", {x.a, e.op("Mul", {x.b, e.op("Log", {e.op("Add", {x.a, like(e, x.a, eps)})})})});
  if (full) {
    Value* log_target = e.op("Log", {x.b});
    Value* power = e.op("Sub", {e.op("Mul", {x.b, log_target}), x.b});
    Value* around = e.op(
        "Mul", {e.op("Log", {e.op("Mul", {x.b, like(e, x.b, 2 * std::numbers::pi)})}), like(e, x.b, 0.5)});
    Value* small = compute(e, "LessOrEqual", {x.b, like(e, x.b, 1)});
    loss = e.op("Add", {loss, compute(e, "Where", {small, like(e, x.b, 0), e.op("Add", {power, around})})});
  }
  return reduce_loss(e, loss, reduction);
}

constexpr Declaration kLoss[] = {
    op<mse_loss>("aten::mse_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor",
                 {.doc = "Squared differences."}),
    op<l1_loss>("aten::l1_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor",
                {.doc = "Absolute differences."}),
    op<smooth_l1_loss>(
        "aten::smooth_l1_loss(Tensor self, Tensor target, int reduction=Mean, float beta=1.0) -> Tensor",
        {.doc = "Squared near 0, absolute differences beyond beta."}),
    op<huber_loss>(
        "aten::huber_loss(Tensor self, Tensor target, int reduction=Mean, float delta=1.0) -> Tensor",
        {.doc = "Squared near 0, delta times absolute differences beyond it."}),
    op<binary_cross_entropy>(
        "aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int "
        "reduction=Mean) -> Tensor",
        {.doc = "Cross entropy of probabilities of two classes."}),
    op<binary_cross_entropy_with_logits>(
        "aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? "
        "pos_weight=None, int reduction=Mean) -> Tensor",
        {.doc = "Cross entropy of scores of two classes."}),
    op<kl_div>(
        "aten::kl_div(Tensor self, Tensor target, int reduction=Mean, *, bool log_target=False) -> Tensor",
        {.doc = "Kullback-Leibler divergence of log-probabilities."}),
    op<nll_loss>("aten::nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, int "
                 "ignore_index=-100) -> Tensor",
                 {.doc = "Negative log-likelihood of classes.",
                  .aliases = {"aten::nll_loss_nd"},
                  .sample = "self=f32[batch,6], target=i64[batch]"}),
    op<nll_loss>("aten::nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, int "
                 "ignore_index=-100) -> Tensor",
                 {.doc = "Negative log-likelihood of the classes of an image's points.",
                  .sample = "self=f32[batch,6,height,width], target=i64[batch,height,width]"}),
    op<cross_entropy_loss>(
        "aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, int "
        "ignore_index=-100, float label_smoothing=0.0) -> Tensor",
        {.doc = "Cross entropy of scores of classes.", .sample = "self=f32[batch,6], target=i64[batch]"}),
    op<soft_margin_loss>("aten::soft_margin_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor",
                         {.doc = "log(1 + exp(-target * x))."}),
    op<margin_ranking_loss>("aten::margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float "
                            "margin=0.0, int reduction=Mean) -> Tensor",
                            {.doc = "How far two inputs are from the order that the target asks for."}),
    op<hinge_embedding_loss>("aten::hinge_embedding_loss(Tensor self, Tensor target, float margin=1.0, int "
                             "reduction=Mean) -> Tensor",
                             {.doc = "Distances of alike pairs, missing distances of unlike ones."}),
    op<poisson_nll_loss>(
        "aten::poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float "
        "eps, int reduction) -> Tensor",
        {.doc = "Negative log-likelihood of Poisson counts."}),
};

}  // namespace

std::span<const Declaration> loss_ops() { return kLoss; }

}  // namespace cameo::aten
