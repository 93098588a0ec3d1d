// Distances and angles between vectors, and the losses made of them.

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Expr dot_along(Expr a, Expr b, const Axes& axes) { return reduce_sum(a * b, axes); }

Expr cosine_similarity(Emit& e, Expr x1, Expr x2, std::int64_t dim, double eps) {
  const Operands x = float_operands(e, x1, x2);
  const Shape shape = broadcast_shape(e, x1.shape(), x2.shape());
  const Expr a = expand(x.a, shape), b = expand(x.b, shape);
  const Axes axes = axes_of(a, Axes{dim});
  auto length = [&](const Expr& v) { return maximum(vector_norm(v, 2, axes, false), eps); };
  return dot_along(a, b, axes) / (length(a) * length(b));
}

Expr pairwise_distance(Emit& e, Expr x1, Expr x2, double p, double eps, bool keepdim) {
  const Operands x = float_operands(e, x1, x2);
  const Expr d = x.a - x.b + eps;
  return vector_norm(d, p, {d.wrap(-1)}, keepdim);
}

Expr triplet_margin_loss(Emit& e, Expr anchor, Expr positive, Expr negative, double margin, double p,
                         double eps, bool swap, std::int64_t reduction) {
  const Expr to_positive = pairwise_distance(e, anchor, positive, p, eps, false);
  Expr to_negative = pairwise_distance(e, anchor, negative, p, eps, false);
  if (swap) to_negative = minimum(to_negative, pairwise_distance(e, positive, negative, p, eps, false));
  const Expr gap = to_positive + margin - to_negative;
  return reduce_loss(relu(gap), reduction);
}

Expr cosine_embedding_loss(Emit& e, Expr input1, Expr input2, Expr target, double margin,
                           std::int64_t reduction) {
  constexpr double kEpsilon = 1e-12;
  const Operands x = float_operands(e, input1, input2);
  const Axes axis{target.rank() == 0 ? 0 : 1};
  auto square = [&](Expr v) { return dot_along(v, v, axis) + kEpsilon; };
  const Expr lengths = sqrt(square(x.a) * square(x.b));
  const Expr cosine = dot_along(x.a, x.b, axis) / lengths;
  const Expr beyond = margin == 0 ? cosine : cosine - margin;
  const Expr signs = target.dtype() == DType::boolean ? Expr(cast(target, DType::i64)) : target;
  const auto loss_of = [&](std::int64_t sign, const Expr& loss) {
    return where(equal(signs, sign), loss, 0);
  };
  const Expr alike = loss_of(1, 1 - cosine);
  return reduce_loss(alike + loss_of(-1, relu(beyond)), reduction);
}

// Of every row of one matrix to every row of the other.
Expr cdist(Emit& e, Expr x1, Expr x2, double p, std::optional<std::int64_t>) {
  if (x1.rank() < 2 || x2.rank() < 2) throw ProgramError("each tensor must have at least two dimensions");
  const Operands x = float_operands(e, x1, x2);
  const Expr rows = unsqueeze(x.a, {x1.rank() - 1});
  const Expr columns = unsqueeze(x.b, {x2.rank() - 2});
  const Expr d = rows - columns;
  return vector_norm(d, p, {d.rank() - 1}, false);
}

Expr euclidean_distance(Emit& e, Expr x1, Expr x2) { return cdist(e, x1, x2, 2, std::nullopt); }

constexpr Declaration kDistance[] = {
    op<euclidean_distance>("aten::_euclidean_dist(Tensor x1, Tensor x2) -> Tensor",
                           {.doc = "Euclidean distances of all pairs of rows.",
                            .sample = "x1=f32[batch,width,6], x2=f32[batch,height,6]"}),
    op<cosine_similarity>(
        "aten::cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor",
        {.doc = "Cosines of the angles between vectors along a dimension."}),
    op<pairwise_distance>("aten::pairwise_distance(Tensor x1, Tensor x2, float p=2.0, float eps=1e-06, bool "
                          "keepdim=False) -> Tensor",
                          {.doc = "p-norms of differences of vectors along the last dimension."}),
    op<triplet_margin_loss>(
        "aten::triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float "
        "p=2.0, float eps=1e-06, bool swap=False, int reduction=Mean) -> Tensor",
        {.doc = "How much nearer the positive should be than the negative.",
         .sample = "anchor=f32[batch,6], positive=f32[batch,6], negative=f32[batch,6]"}),
    op<cosine_embedding_loss>("aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, "
                              "float margin=0.0, int reduction=Mean) -> Tensor",
                              {.doc = "Angles of alike pairs, missing angles of unlike ones.",
                               .sample = "input1=f32[batch,6], input2=f32[batch,6], target=f32[batch]"}),
    op<cdist>("aten::cdist(Tensor x1, Tensor x2, float p=2.0, int? compute_mode=None) -> Tensor",
              {.doc = "p-norm distances of all pairs of rows.",
               .sample = "x1=f32[batch,width,6], x2=f32[batch,height,6], p=2.0"}),
    op<cdist>("aten::_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor",
              {.doc = "p-norm distances of all pairs of rows.",
               .sample = "x1=f32[batch,width,6], x2=f32[batch,height,6], p=2.0"}),
};

}  // namespace

std::span<const Declaration> distance_ops() { return kDistance; }

}  // namespace cameo::aten
