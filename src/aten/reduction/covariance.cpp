// Covariances and correlations of variables, one a row.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using onnx::Value;

struct Weights {
  Value* both = nullptr;         // null: all 1
  Value* reliability = nullptr;  // aweights alone
};

Weights weights_of(Emit& e, const std::optional<Tensor>& fweights, const std::optional<Tensor>& aweights) {
  if (!aweights) return {fweights ? fweights->value : nullptr, nullptr};
  if (!fweights) return {*aweights, *aweights};
  const Operands w = operands(e, *fweights, *aweights);
  return {e.op("Mul", {w.a, w.b}), *aweights};
}

Value* total_of(Emit& e, const Tensor& x) {
  return reduce(e, "ReduceSum", is_whole(x) ? e.cast(x, DType::i64) : x.value, all_axes(x), false);
}

Tensor covariance(Emit& e, const Tensor& self, std::int64_t correction, const Weights& weights) {
  if (self.rank() > 2) throw ProgramError("the input must have at most two dimensions");
  if (self.dtype() == DType::boolean) throw ProgramError("booleans are not supported");
  const Tensor x = self.rank() == 2 ? self : Tensor(e.reshape(self, {1, numel(e, self)}));
  const Tensor w(weights.both);
  const DType dtype = float_result(weights.both ? result_type({x, w}) : x.dtype());
  Value* values = e.cast(x, dtype);
  auto weighted = [&](Value* v) { return weights.both ? e.op("Mul", {v, e.cast(w, dtype)}) : v; };
  // How many observations there are, in the dtype of the weights.
  Value* count = weights.both ? total_of(e, w) : e.dim(x.dim(1));
  Value* total = e.cast(count, dtype);
  Value* mean = e.op("Div", {reduce(e, "ReduceSum", weighted(values), {1}, true), total});
  Value* less = e.scalar(count->dtype(), correction);
  if (weights.reliability && correction != 0) {
    const Operands squares = operands(e, w, Tensor(weights.reliability));
    Value* share = e.cast(total_of(e, e.op("Mul", {squares.a, squares.b})), float_result(count->dtype()));
    count = e.cast(count, share->dtype());
    less = e.op("Div", {e.op("Mul", {e.scalar(share->dtype(), correction), share}), count});
  }
  Value* left = compute(e, "Max", {e.op("Sub", {count, less}), like(e, count, 0)});
  Value* divisor = e.cast(left, dtype);
  Value* centred = e.op("Sub", {values, mean});
  Value* products = e.op("MatMul", {centred, e.transpose(weighted(centred), {1, 0})});
  const Tensor out = e.op("Div", {products, divisor});
  const sym::Truth single = e.sym().equal(out.dim(0), 1);
  if (single == sym::Truth::unknown) return e.op("Squeeze", {out});
  return single == sym::Truth::yes ? Tensor(e.reshape(out, {})) : out;
}

Tensor cov(Emit& e, Tensor self, std::int64_t correction, std::optional<Tensor> fweights,
           std::optional<Tensor> aweights) {
  return covariance(e, self, correction, weights_of(e, fweights, aweights));
}

// Between -1 and 1; what is not a number stays.
Tensor corrcoef(Emit& e, Tensor self) {
  const Tensor c = covariance(e, self, 1, {});
  if (c.rank() == 0) return e.op("Div", {c, c});
  Value* numbers = indices(e, c.dim(0));
  Value* diagonal = e.op("GatherElements", {c, e.unsqueeze(numbers, {1})}, {{"axis", std::int64_t{1}}});
  Value* deviation = e.op("Sqrt", {diagonal});
  Value* r = e.op("Div", {e.op("Div", {c, deviation}), e.transpose(deviation, {1, 0})});
  Value *low = like(e, r, -1), *high = like(e, r, 1);
  Value* capped = compute(e, "Where", {e.op("Greater", {r, high}), high, r});
  return compute(e, "Where", {e.op("Less", {capped, low}), low, capped});
}

constexpr Declaration kCovariance[] = {
    op<cov>(
        "aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor",
        {.doc = "Covariances of variables, one a row, over weighted observations."}),
    op<corrcoef>("aten::corrcoef(Tensor self) -> Tensor", {.doc = "Correlations of variables, one a row."}),
};

}  // namespace

std::span<const Declaration> covariance_ops() { return kCovariance; }

}  // namespace cameo::aten
