// Losses of classes that are not far enough ahead of others.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

// Rows of scores: a single one becomes a batch of one.
Expr rows(const Expr& x) {
  if (x.rank() > 2) throw ProgramError("the input must have one or two dimensions");
  return x.rank() == 2 ? x : Expr(reshape(x, {1, x.shape().product()}));
}

// The losses of rows, summed over classes, as a share of their number.
Expr finish(Emit& e, Expr losses, const Dim& classes, bool single, std::int64_t reduction) {
  const Expr shares = losses / e.cast(e.dim(classes), losses->dtype());
  return reduce_loss(single && reduction == 0 ? reshape(shares, {}) : shares, reduction);
}

Expr multi_margin_loss(Emit& e, Expr self, Expr target, Scalar p, Scalar margin, std::optional<Expr> weight,
                       std::int64_t reduction) {
  const double power = known_number(p, "p");
  if (power != 1 && power != 2) throw ProgramError("'p' must be 1 or 2");
  const Expr x = rows(self);
  const Dim classes = x.dim(1);
  const Expr wanted = reshape(cast(target, DType::i64), {x.dim(0), 1});
  const Expr own = gather_elements(x, wanted, 1);
  const Expr ahead = own - scalar_like(x, margin);
  Expr missing = relu(x - ahead);
  if (power == 2) missing = missing * missing;
  if (weight) missing = missing * gather(cast(*weight, x.dtype()), wanted, 0);
  const Expr others = where(equal(indices(e, classes), wanted), 0, missing);
  return finish(e, reduce_sum(others, {1}), classes, target.rank() == 0, reduction);
}

struct Labelled {
  Expr loss, is_target;
};

// The labels of a row end before the first negative one.
Labelled multilabel(Emit& e, const Expr& self, const Expr& target, std::int64_t reduction) {
  const Expr x = rows(self), labels = cast(rows(target), DType::i64);
  const Dim classes = x.dim(1);
  const Expr ended = cumulative_sum(cast(labels < 0, DType::i64), 1);
  const Expr valid = equal(ended, 0);
  const Expr places = where(valid, labels, 0);
  // One row for each label, one column for each class.
  const Expr label = unsqueeze(places, {2});
  const Expr named = equal(label, indices(e, classes)) && unsqueeze(valid, {2});
  const Expr is_target = any_of(named, {1}, false);
  const Expr own = unsqueeze(gather_elements(x, places, 1), {2});
  const Expr ahead = own - unsqueeze(x, {1});
  const Expr missing = relu(1 - ahead);
  const Expr counts = unsqueeze(valid, {2}) && !unsqueeze(is_target, {1});
  const Expr losses = reduce_sum(where(counts, missing, 0), {1, 2});
  return {finish(e, losses, classes, self.rank() < 2, reduction),
          reshape(cast(is_target, x.dtype()), target.shape())};
}

Expr multilabel_margin_loss(Emit& e, Expr self, Expr target, std::int64_t reduction) {
  return multilabel(e, self, target, reduction).loss;
}
std::vector<Expr> multilabel_margin_loss_forward(Emit& e, Expr self, Expr target, std::int64_t reduction) {
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
