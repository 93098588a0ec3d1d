// Covariances and correlations of variables, one per row.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

struct Weights {
  Expr both = nullptr;         // null: all 1
  Expr reliability = nullptr;  // aweights alone
};

Weights weights_of(Emit& e, const std::optional<Expr>& fweights, const std::optional<Expr>& aweights) {
  if (!aweights) return {fweights ? *fweights : Expr(), nullptr};
  if (!fweights) return {*aweights, *aweights};
  const Operands w = operands(e, *fweights, *aweights);
  return {w.a * w.b, *aweights};
}

Expr total_of(const Expr& x) { return reduce_sum(is_whole(x) ? cast(x, DType::i64) : x, all_axes(x)); }

Expr covariance(Emit& e, const Expr& self, std::int64_t correction, const Weights& weights) {
  if (self.rank() > 2) throw ProgramError("the input must have at most two dimensions");
  if (self.dtype() == DType::boolean) throw ProgramError("booleans are not supported");
  const Expr x = self.rank() == 2 ? self : Expr(reshape(self, {1, self.shape().product()}));
  const Expr& w = weights.both;
  const DType dtype = float_result(w.value ? result_type({x, w}) : x.dtype());
  const Expr values = cast(x, dtype);
  auto weighted = [&](Expr v) { return w.value ? v * cast(w, dtype) : v; };
  // The number of observations, in the dtype of the weights.
  Expr count = w.value ? total_of(w) : e.dim(x.dim(1));
  const Expr total = cast(count, dtype);
  const Expr mean = reduce_sum(weighted(values), {1}, true) / total;
  Expr less = e.scalar(count->dtype(), correction);
  if (weights.reliability.value && correction != 0) {
    const Operands squares = operands(e, w, weights.reliability);
    const Expr share = cast(total_of(squares.a * squares.b), float_result(count->dtype()));
    count = cast(count, share->dtype());
    less = correction * share / count;
  }
  const Expr left = maximum(count - less, 0);
  const Expr divisor = cast(left, dtype);
  const Expr centred = values - mean;
  const Expr products = matmul(centred, transpose(weighted(centred), {1, 0}));
  const Expr out = products / divisor;
  const sym::Truth single = e.sym().equal(out.dim(0), 1);
  if (single == sym::Truth::unknown) return e.op("Squeeze", {out});
  return single == sym::Truth::yes ? Expr(reshape(out, {})) : out;
}

Expr cov(Emit& e, Expr self, std::int64_t correction, std::optional<Expr> fweights,
         std::optional<Expr> aweights) {
  return covariance(e, self, correction, weights_of(e, fweights, aweights));
}

// Between -1 and 1; what is not a number stays.
Expr corrcoef(Emit& e, Expr self) {
  const Expr c = covariance(e, self, 1, {});
  if (c.rank() == 0) return c / c;
  const Expr numbers = indices(e, c.dim(0));
  const Expr diagonal = gather_elements(c, unsqueeze(numbers, {1}), 1);
  const Expr deviation = sqrt(diagonal);
  const Expr r = c / deviation / transpose(deviation, {1, 0});
  const Expr low = r.number(-1), high = r.number(1);
  const Expr capped = where(r > high, high, r);
  return where(capped < low, low, capped);
}

constexpr Declaration kCovariance[] = {
    op<cov>(
        "aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor",
        {.doc = "Covariances of variables, one per row, over weighted observations."}),
    op<corrcoef>("aten::corrcoef(Tensor self) -> Tensor", {.doc = "Correlations of variables, one per row."}),
};

}  // namespace

std::span<const Declaration> covariance_ops() { return kCovariance; }

}  // namespace cameo::aten
