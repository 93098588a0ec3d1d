// Losses of classes that are not far enough ahead of others.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using onnx::Value;

// Rows of scores: a single one becomes a batch of one.
Tensor rows(Emit& e, const Tensor& x) {
  if (x.rank() > 2) throw ProgramError("the input must have one or two dimensions");
  return x.rank() == 2 ? x : Tensor(e.reshape(x, {1, numel(e, x)}));
}

// The losses of rows, summed over classes, as a share of their number.
Tensor finish(Emit& e, Value* losses, const Dim& classes, bool single, std::int64_t reduction) {
  Value* shares = e.op("Div", {losses, e.cast(e.dim(classes), losses->dtype())});
  return reduce_loss(e, single && reduction == 0 ? e.reshape(shares, {}) : shares, reduction);
}

Tensor multi_margin_loss(Emit& e, Tensor self, Tensor target, Scalar p, Scalar margin,
                         std::optional<Tensor> weight, std::int64_t reduction) {
  const double power = known_number(p, "p");
  if (power != 1 && power != 2) throw ProgramError("'p' must be 1 or 2");
  const Tensor x = rows(e, self);
  const Dim classes = x.dim(1);
  const Tensor wanted = e.reshape(e.cast(target, DType::i64), {x.dim(0), 1});
  Value* own = e.op("GatherElements", {x, wanted}, {{"axis", std::int64_t{1}}});
  Value* ahead = e.op("Sub", {own, scalar_like(e, x, margin)});
  Value* missing = e.op("Relu", {e.op("Sub", {x, ahead})});
  if (power == 2) missing = e.op("Mul", {missing, missing});
  if (weight) missing = e.op("Mul", {missing, e.gather(e.cast(*weight, x.dtype()), wanted, 0)});
  Value* others = compute(e, "Where", {e.op("Equal", {indices(e, classes), wanted}), like(e, x, 0), missing});
  return finish(e, reduce(e, "ReduceSum", others, {1}, false), classes, target.rank() == 0, reduction);
}

struct Labelled {
  Tensor loss, is_target;
};

// The labels of a row end before the first negative one.
Labelled multilabel(Emit& e, const Tensor& self, const Tensor& target, std::int64_t reduction) {
  const Tensor x = rows(e, self), labels = e.cast(rows(e, target), DType::i64);
  const Dim classes = x.dim(1);
  Value* ended = e.op("CumSum", {e.cast(e.op("Less", {labels, e.dim(0)}), DType::i64), e.dim(1)});
  Value* valid = e.op("Equal", {ended, e.dim(0)});
  Value* places = e.op("Where", {valid, labels, e.dim(0)});
  // One row for each label, one column for each class.
  Value* label = e.unsqueeze(places, {2});
  Value* named = e.op("And", {e.op("Equal", {label, indices(e, classes)}), e.unsqueeze(valid, {2})});
  Value* is_target = any_of(e, named, {1}, false);
  Value* own = e.unsqueeze(e.op("GatherElements", {x, places}, {{"axis", std::int64_t{1}}}), {2});
  Value* ahead = e.op("Sub", {own, e.unsqueeze(x, {1})});
  Value* missing = e.op("Relu", {e.op("Sub", {like(e, x, 1), ahead})});
  Value* counts = e.op("And", {e.unsqueeze(valid, {2}), e.op("Not", {e.unsqueeze(is_target, {1})})});
  Value* losses =
      reduce(e, "ReduceSum", compute(e, "Where", {counts, missing, like(e, x, 0)}), {1, 2}, false);
  return {finish(e, losses, classes, self.rank() < 2, reduction),
          e.reshape(e.cast(is_target, x.dtype()), target.shape())};
}

Tensor multilabel_margin_loss(Emit& e, Tensor self, Tensor target, std::int64_t reduction) {
  return multilabel(e, self, target, reduction).loss;
}
std::vector<Tensor> multilabel_margin_loss_forward(Emit& e, Tensor self, Tensor target,
                                                   std::int64_t reduction) {
  const Labelled out = multilabel(e, self, target, reduction);
  return {out.loss, out.is_target};
}

constexpr Declaration kMarginLoss[] = {
    op<multi_margin_loss>(
        "aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? "
        "weight=None, int reduction=1) -> Tensor",
        {.doc = "How much other classes come too near to the right one."}),
    op<multilabel_margin_loss>(
        "aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
        {.doc = "How much other classes come too near to the right ones."}),
    op<multilabel_margin_loss_forward>(
        "aten::multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) "
        "-> (Tensor output, Tensor is_target)",
        {.doc = "The loss, and which classes are right ones."}),
};

}  // namespace

std::span<const Declaration> margin_loss_ops() { return kMarginLoss; }

}  // namespace cameo::aten
