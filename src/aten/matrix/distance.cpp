// Distances and angles between vectors, and the losses made of them.

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using onnx::Value;

Value* dot_along(Emit& e, Value* a, Value* b, const Axes& axes) {
  return reduce(e, "ReduceSum", e.op("Mul", {a, b}), axes, false);
}

Tensor cosine_similarity(Emit& e, Tensor x1, Tensor x2, std::int64_t dim, double eps) {
  const Operands x = float_operands(e, x1, x2);
  const Shape shape = broadcast_shape(e, x1.shape(), x2.shape());
  const Tensor a = e.expand(x.a, shape), b = e.expand(x.b, shape);
  const Axes axes = axes_of(a, Axes{dim});
  auto length = [&](const Tensor& v) {
    return maximum(e, vector_norm(e, v, 2, axes, false), like(e, v, eps));
  };
  return e.op("Div", {dot_along(e, a, b, axes), e.op("Mul", {length(a), length(b)})});
}

Tensor pairwise_distance(Emit& e, Tensor x1, Tensor x2, double p, double eps, bool keepdim) {
  const Operands x = float_operands(e, x1, x2);
  const Tensor d = e.op("Add", {e.op("Sub", {x.a, x.b}), like(e, x.a, eps)});
  return vector_norm(e, d, p, {d.wrap(-1)}, keepdim);
}

Tensor triplet_margin_loss(Emit& e, Tensor anchor, Tensor positive, Tensor negative, double margin, double p,
                           double eps, bool swap, std::int64_t reduction) {
  Value* to_positive = pairwise_distance(e, anchor, positive, p, eps, false);
  Value* to_negative = pairwise_distance(e, anchor, negative, p, eps, false);
  if (swap) to_negative = minimum(e, to_negative, pairwise_distance(e, positive, negative, p, eps, false));
  Value* gap = e.op("Sub", {e.op("Add", {to_positive, like(e, to_positive, margin)}), to_negative});
  return reduce_loss(e, e.op("Relu", {gap}), reduction);
}

Tensor cosine_embedding_loss(Emit& e, Tensor input1, Tensor input2, Tensor target, double margin,
                             std::int64_t reduction) {
  constexpr double kEpsilon = 1e-12;
  const Operands x = float_operands(e, input1, input2);
  const Axes axis{target.rank() == 0 ? 0 : 1};
  auto square = [&](Value* v) { return e.op("Add", {dot_along(e, v, v, axis), like(e, v, kEpsilon)}); };
  Value* lengths = e.op("Sqrt", {e.op("Mul", {square(x.a), square(x.b)})});
  Value* cosine = e.op("Div", {dot_along(e, x.a, x.b, axis), lengths});
  Value* zero = like(e, cosine, 0);
  Value* beyond = margin == 0 ? cosine : e.op("Sub", {cosine, like(e, cosine, margin)});
  const Tensor signs = target.dtype() == DType::boolean ? Tensor(e.cast(target, DType::i64)) : target;
  auto where = [&](std::int64_t sign, Value* loss) {
    Value* chosen = compute(e, "Equal", {signs, e.scalar(signs.dtype(), sign)});
    return compute(e, "Where", {chosen, loss, zero});
  };
  Value* alike = where(1, e.op("Sub", {like(e, cosine, 1), cosine}));
  return reduce_loss(e, e.op("Add", {alike, where(-1, e.op("Relu", {beyond}))}), reduction);
}

// Of every row of one matrix to every row of the other.
Tensor cdist(Emit& e, Tensor x1, Tensor x2, double p, std::optional<std::int64_t>) {
  if (x1.rank() < 2 || x2.rank() < 2) throw ProgramError("each tensor must have at least two dimensions");
  const Operands x = float_operands(e, x1, x2);
  Value* rows = e.unsqueeze(x.a, {x1.rank() - 1});
  Value* columns = e.unsqueeze(x.b, {x2.rank() - 2});
  const Tensor d = e.op("Sub", {rows, columns});
  return vector_norm(e, d, p, {d.rank() - 1}, false);
}

constexpr Declaration kDistance[] = {
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
