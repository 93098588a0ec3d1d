// Losses between a prediction and a target.
#include <fmt/core.h>

#include <numbers>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Expr difference(Emit& e, const Expr& self, const Expr& target) {
  const Operands x = operands(e, self, target);
  return x.a - x.b;
}

Expr mse_loss(Emit& e, Expr self, Expr target, std::int64_t reduction) {
  const Expr d = difference(e, self, target);
  return reduce_loss(d * d, reduction);
}

Expr l1_loss(Emit& e, Expr self, Expr target, std::int64_t reduction) {
  return reduce_loss(abs(difference(e, self, target)), reduction);
}

// factor * d² near 0, slope * (|d| - bound / 2) beyond `bound`.
Expr rounded_loss(Emit& e, const Expr& self, const Expr& target, double bound, double factor, double slope,
                  std::int64_t reduction) {
  const Expr d = difference(e, self, target);
  const Expr size = abs(d);
  const Expr near = d * d * factor;
  Expr far = size - bound / 2;
  if (slope != 1) far = far * slope;
  return reduce_loss(where(size < bound, near, far), reduction);
}

Expr smooth_l1_loss(Emit& e, Expr self, Expr target, std::int64_t reduction, double beta) {
  if (beta < 0) throw ProgramError("'beta' must not be negative");
  if (beta == 0) return l1_loss(e, self, target, reduction);
  return rounded_loss(e, self, target, beta, 0.5 / beta, 1, reduction);
}

Expr huber_loss(Emit& e, Expr self, Expr target, std::int64_t reduction, double delta) {
  if (delta <= 0) throw ProgramError("'delta' must be positive");
  return rounded_loss(e, self, target, delta, 0.5, delta, reduction);
}

Expr weighted(Expr loss, const std::optional<Expr>& weight) {
  return weight ? loss * cast(*weight, loss->dtype()) : loss;
}

// Logarithms are cut off at -100.
Expr binary_cross_entropy(Emit& e, Expr self, Expr target, std::optional<Expr> weight,
                          std::int64_t reduction) {
  const Operands x = float_operands(e, self, target);
  const Expr one = x.a.number(1);
  auto logarithm = [&](Expr p) { return maximum(log(p), -100); };
  const Expr of_false = (x.b - one) * logarithm(one - x.a);
  const Expr of_true = x.b * logarithm(x.a);
  return reduce_loss(weighted(of_false - of_true, weight), reduction);
}

// (1 - target) * x + weight * log(1 + exp(-x))
Expr binary_cross_entropy_with_logits(Emit& e, Expr self, Expr target, std::optional<Expr> weight,
                                      std::optional<Expr> pos_weight, std::int64_t reduction) {
  const Operands x = float_operands(e, self, target);
  const Expr one = x.a.number(1);
  Expr rest = softplus(-x.a);
  if (pos_weight) {
    const Expr more = cast(*pos_weight, x.dtype()) - one;
    rest = rest * (more * x.b + one);
  }
  const Expr loss = (one - x.b) * x.a + rest;
  return reduce_loss(weighted(loss, weight), reduction);
}

Expr kl_div(Emit& e, Expr self, Expr target, std::int64_t reduction, bool log_target) {
  const Operands x = float_operands(e, self, target);
  if (log_target) return reduce_loss(exp(x.b) * (x.b - x.a), reduction);
  const Expr zero = x.a.number(0);
  const Expr own = where(equal(x.b, zero), zero, x.b * log(x.b));
  return reduce_loss(own - x.b * x.a, reduction);
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
Expr class_loss(Emit& e, const char* op, const Expr& self, const Expr& target,
                const std::optional<Expr>& weight, std::int64_t reduction, std::int64_t ignore_index) {
  const bool single = self.rank() == 1;
  const Expr scores = single ? unsqueeze(self, {0}) : self;
  const Expr labels = cast(single ? reshape(target, {1}) : target, DType::i64);
  std::vector<onnx::Value*> inputs{scores, labels};
  if (weight) inputs.push_back(cast(*weight, self.dtype()));
  const Expr loss = e.op(op, std::move(inputs), loss_attributes(reduction, ignore_index));
  return single && reduction == 0 ? Expr(reshape(loss, {})) : Expr(loss);
}

Expr nll_loss(Emit& e, Expr self, Expr target, std::optional<Expr> weight, std::int64_t reduction,
              std::int64_t ignore_index) {
  return class_loss(e, "NegativeLogLikelihoodLoss", self, target, weight, reduction, ignore_index);
}

// The loss, and the sum of the weights of the classes that count.
std::vector<Expr> nll_loss_forward(Emit& e, Expr self, Expr target, std::optional<Expr> weight,
                                   std::int64_t reduction, std::int64_t ignore_index) {
  const Expr loss = nll_loss(e, self, target, weight, reduction, ignore_index);
  if (reduction == 0) return {loss, self.number(0)};
  const Expr labels = cast(target, DType::i64);
  const Expr ignored = equal(labels, ignore_index);
  const Expr weights = weight ? gather(cast(*weight, self.dtype()), where(ignored, 0, labels), 0)
                              : filled_like(self.number(1), labels);
  const Expr counted = where(ignored, 0, weights);
  return {loss, reduce_sum(counted, all_axes(counted))};
}

Expr log_probabilities(Emit& e, const Expr& self) {
  return e.op("LogSoftmax", {self}, {{"axis", std::int64_t{self.rank() > 1 ? 1 : 0}}});
}

// The weights along the classes of a loss of this rank.
Expr class_weights(const Expr& weight, const Expr& self) {
  Shape shape(self.shape().size(), Dim(1));
  shape[self.rank() > 1 ? 1 : 0] = weight.dim(0);
  return reshape(cast(weight, self.dtype()), shape);
}

Expr cross_entropy_of_probabilities(Emit& e, const Expr& self, const Expr& target,
                                    const std::optional<Expr>& weight, std::int64_t reduction,
                                    double smoothing) {
  const std::int64_t axis = self.rank() > 1 ? 1 : 0;
  Expr wanted = cast(target, self.dtype());
  if (smoothing > 0) {
    std::optional<std::int64_t> classes = self.dim(axis).as_constant();
    if (!classes) throw Unsupported("label smoothing needs a known number of classes");
    wanted = wanted * (1 - smoothing) + smoothing / static_cast<double>(*classes);
  }
  Expr log_p = log_probabilities(e, self);
  if (weight) log_p = log_p * class_weights(*weight, self);
  const Expr loss = -reduce_sum(log_p * wanted, {axis});
  return reduce_loss(loss, reduction);
}

// Part of the loss is spread over all classes.
Expr smoothed_cross_entropy(Emit& e, const Expr& self, const Expr& target, const std::optional<Expr>& weight,
                            std::int64_t reduction, std::int64_t ignore_index, double smoothing) {
  const std::int64_t axis = self.rank() > 1 ? 1 : 0;
  std::optional<std::int64_t> classes = self.dim(axis).as_constant();
  if (!classes) throw Unsupported("label smoothing needs a known number of classes");
  const Expr log_p = log_probabilities(e, self);
  const Expr plain = nll_loss(e, log_p, target, weight, reduction, ignore_index);
  const Expr spread_terms = weight ? log_p * class_weights(*weight, self) : log_p;
  Expr smooth = -reduce_sum(spread_terms, {axis});
  const Expr labels = cast(target, DType::i64);
  const Expr ignored = equal(labels, ignore_index);
  smooth = where(ignored, 0, smooth);
  if (reduction == 1) {
    const Expr total = reduce_sum(smooth, all_axes(smooth));
    const Expr one = smooth.number(1);
    Expr share = one;
    if (weight) {
      const Expr safe = where(ignored, 0, labels);
      share = gather(cast(*weight, self.dtype()), safe, 0);
    }
    const Expr counted = expand(where(ignored, 0, share), smooth.shape());
    smooth = total / reduce_sum(counted, all_axes(counted));
  } else {
    smooth = reduce_loss(smooth, reduction);
  }
  return plain * (1 - smoothing) + smooth * (smoothing / static_cast<double>(*classes));
}

Expr cross_entropy_loss(Emit& e, Expr self, Expr target, std::optional<Expr> weight, std::int64_t reduction,
                        std::int64_t ignore_index, double label_smoothing) {
  if (is_floating(target.dtype()))
    return cross_entropy_of_probabilities(e, self, target, weight, reduction, label_smoothing);
  if (label_smoothing > 0)
    return smoothed_cross_entropy(e, self, target, weight, reduction, ignore_index, label_smoothing);
  return class_loss(e, "SoftmaxCrossEntropyLoss", self, target, weight, reduction, ignore_index);
}

std::int64_t reduction_number(const std::string& name) {
  if (name != "none" && name != "mean" && name != "sum")
    throw ProgramError(fmt::format("the reduction '{}' is unknown", name));
  return name == "none" ? 0 : name == "mean" ? 1 : 2;
}

Expr linear_cross_entropy(Emit& e, const Expr& input, const Expr& linear_weight, const Expr& target,
                          const std::optional<Expr>& bias, const std::optional<Expr>& weight,
                          const std::string& reduction, std::int64_t ignore_index, double label_smoothing) {
  Expr logits = matmul(input, transpose(cast(linear_weight, input.dtype()), {1, 0}));
  if (bias) logits = logits + cast(*bias, input.dtype());
  return cross_entropy_loss(e, logits, target, weight, reduction_number(reduction), ignore_index,
                            label_smoothing);
}

// The loss. The gradients are empty unless the call asks for them.
Returns chunked_cross_entropy(Emit& e, Expr input, Expr linear_weight, Expr target, std::optional<Expr> bias,
                              std::optional<Expr> weight, std::string reduction, std::int64_t ignore_index,
                              double label_smoothing, Ignored, Ignored, Ignored, Ignored, bool input_grad,
                              bool weight_grad, bool bias_grad) {
  const auto no_gradient = [&](bool wanted, Shape shape) {
    return wanted ? Arg{None{}} : Arg{Tensor(filled(input.number(0), shape))};
  };
  const Expr loss = linear_cross_entropy(e, input, linear_weight, target, bias, weight, reduction,
                                         ignore_index, label_smoothing);
  return {Arg{Tensor(loss)}, no_gradient(input_grad, {0, 0}), no_gradient(weight_grad, {0, 0}),
          no_gradient(bias_grad, {0})};
}
Expr chunked_cross_entropies(Emit& e, Expr input, Expr linear_weight, Expr target, std::optional<Expr> bias,
                             std::optional<Expr> weight, std::int64_t ignore_index, Ignored, Ignored,
                             Ignored) {
  return linear_cross_entropy(e, input, linear_weight, target, bias, weight, "none", ignore_index, 0);
}

Expr soft_margin_loss(Emit& e, Expr self, Expr target, std::int64_t reduction) {
  const Operands x = float_operands(e, self, target);
  return reduce_loss(softplus(-(x.a * x.b)), reduction);
}

Expr margin_ranking_loss(Emit& e, Expr input1, Expr input2, Expr target, double margin,
                         std::int64_t reduction) {
  const Operands x = operands(e, Expr(difference(e, input2, input1)), target);
  Expr gap = floats(x.a * x.b);  // the margin is a float, also if it is 0
  if (margin != 0) gap = gap + margin;
  return reduce_loss(relu(gap), reduction);
}

Expr is_sign(const Expr& target, std::int64_t sign) { return equal(target, sign); }

Expr hinge_embedding_loss(Emit&, Expr self, Expr target, double margin, std::int64_t reduction) {
  const Expr x = floats(self);
  const Expr zero = x.number(0);
  const Expr hinge = relu(margin - x);
  const Expr unlike = where(is_sign(target, 1), zero, hinge);
  const Expr alike = where(is_sign(target, -1), zero, x);
  return reduce_loss(unlike + alike, reduction);
}

Expr poisson_nll_loss(Emit& e, Expr input, Expr target, bool log_input, bool full, double eps,
                      std::int64_t reduction) {
  const Operands x = float_operands(e, input, target);
  Expr loss = log_input ? exp(x.a) - x.b * x.a : x.a - x.b * log(x.a + eps);
  if (full) {
    const Expr log_target = log(x.b);
    const Expr power = x.b * log_target - x.b;
    const Expr around = log(x.b * (2 * std::numbers::pi)) * 0.5;
    const Expr small = x.b <= 1;
    loss = loss + where(small, 0, power + around);
  }
  return reduce_loss(loss, reduction);
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
    op<nll_loss_forward>("aten::nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, "
                         "int ignore_index) -> (Tensor, Tensor)",
                         {.doc = "Negative log-likelihood of classes, and the sum of their weights.",
                          .aliases = {"aten::nll_loss2d_forward"},
                          .sample = "self=f32[batch,6], target=i64[batch], reduction=1, ignore_index=-100"}),
    op<cross_entropy_loss>(
        "aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, int "
        "ignore_index=-100, float label_smoothing=0.0) -> Tensor",
        {.doc = "Cross entropy of scores of classes.", .sample = "self=f32[batch,6], target=i64[batch]"}),
    op<chunked_cross_entropy>(
        "torch_nn::_linear_cross_entropy_batch_chunked(Tensor input, Tensor linear_weight, Tensor target, "
        "Tensor? linear_bias, Tensor? weight, str reduction, SymInt ignore_index, float label_smoothing, "
        "SymInt batch_chunk_size, str acc_policy, ScalarType acc_dtype, bool allow_retain_graph, bool "
        "compute_input_grad, bool compute_linear_weight_grad, bool compute_linear_bias_grad) -> (Tensor, "
        "Tensor, Tensor, Tensor)",
        {.doc = "Cross entropy of the scores of a linear layer, without its gradients.",
         .sample = "input=f32[batch,4], linear_weight=f32[6,4], target=i64[batch], linear_bias=f32[6], "
                   "weight=f32[6], reduction='mean', ignore_index=-100, label_smoothing=0.0, "
                   "batch_chunk_size=2, acc_policy='auto', "
                   "compute_input_grad=False, compute_linear_weight_grad=False, "
                   "compute_linear_bias_grad=False"}),
    op<chunked_cross_entropies>(
        "torch_nn::_linear_cross_entropy_batch_chunked_no_reduction(Tensor input, Tensor linear_weight, "
        "Tensor target, Tensor? linear_bias, Tensor? weight, SymInt ignore_index, SymInt batch_chunk_size, "
        "str acc_policy, ScalarType acc_dtype) -> Tensor",
        {.doc = "Cross entropy of the scores of a linear layer, for each row.",
         .sample = "input=f32[batch,4], linear_weight=f32[6,4], target=i64[batch], linear_bias=f32[6], "
                   "weight=f32[6], ignore_index=-100, batch_chunk_size=2, acc_policy='auto'"}),
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
