#include "aten/elementwise.h"
#include "aten/reduce.h"
#include "gradient/rules.h"

namespace cameo::gradient {
namespace {

// The node as a reduction: `axes` of the input, kept with size 1 or dropped.
struct Reduction {
  explicit Reduction(const NodeStep& s) : x(s.in(0)), g(s.grad()), kept(s.integer("keepdims", 1) != 0) {
    if (s.has(1)) axes = aten::wrap_axes(x, s.known(1));
    if (axes.empty() && s.integer("noop_with_empty_axes", 0) == 0) axes = aten::all_axes(x);
  }
  Expr whole(const Expr& reduced) const { return spread(reduced, axes, kept, x.shape()); }
  Expr gradient() const { return whole(g); }

  Expr x, g;
  Axes axes;
  bool kept;
};

void sum(const NodeStep& s) { s.give(0, Reduction(s).gradient()); }

void reduce_to_mean(const NodeStep& s) {
  const Reduction r(s);
  s.give(0, r.gradient() / count(r.x, r.axes));
}

void sum_of_squares(const NodeStep& s) {
  const Reduction r(s);
  s.give(0, r.gradient() * (r.x * 2));
}

void sum_of_sizes(const NodeStep& s) {
  const Reduction r(s);
  s.give(0, r.gradient() * sign(r.x));
}

void length(const NodeStep& s) {
  const Reduction r(s);
  const Expr norm = r.whole(s.out());
  s.give(0, where(equal(norm, 0), 0, r.gradient() * (r.x / norm)));
}

void log_of_sum(const NodeStep& s) {
  const Reduction r(s);
  s.give(0, r.gradient() / exp(r.whole(s.out())));
}

void log_of_sum_of_exp(const NodeStep& s) {
  const Reduction r(s);
  s.give(0, r.gradient() * exp(r.x - r.whole(s.out())));
}

// Equal elements share the gradient.
void extreme_element(const NodeStep& s) {
  const Reduction r(s);
  const Expr chosen = cast_like(equal(r.x, r.whole(s.out())), r.x);
  const Expr number = aten::reduce_sum(chosen, r.axes, true);
  s.give(0, chosen * (r.gradient() / number));
}

// The product of the other elements. Zeros are left out of the products and counted.
void product(const NodeStep& s) {
  const Reduction r(s);
  const Expr is_zero = equal(r.x, 0), filled = where(is_zero, 1, r.x);
  const Expr zeros_of_all = aten::reduce_sum(cast_like(is_zero, r.x), r.axes, true);
  const Expr others = aten::reduce_product(filled, r.axes, true) / filled;
  const Expr zeros_beside = zeros_of_all - cast_like(is_zero, r.x);
  s.give(0, where(equal(zeros_beside, 0), r.gradient() * others, 0));
}

void softmax(const NodeStep& s) {
  const Expr y = s.out(), weighted = s.grad() * y;
  const Axes axis{y.wrap(s.integer("axis", -1))};
  s.give(0, weighted - y * aten::reduce_sum(weighted, axis, true));
}

void log_softmax(const NodeStep& s) {
  const Axes axis{s.out().wrap(s.integer("axis", -1))};
  s.give(0, s.grad() - exp(s.out()) * aten::reduce_sum(s.grad(), axis, true));
}

void running_sum(const NodeStep& s) {
  onnx::Attributes attributes{{"reverse", std::int64_t{s.integer("reverse", 0) == 0}}};
  if (s.integer("exclusive", 0)) attributes.push_back({"exclusive", std::int64_t{1}});
  s.give(0, compute(s.e, "CumSum", {s.grad(), s.in(1)}, std::move(attributes)));
}

constexpr NodeRow kReductions[] = {
    {"CumSum", running_sum},
    {"LogSoftmax", log_softmax},
    {"ReduceL1", sum_of_sizes},
    {"ReduceL2", length},
    {"ReduceLogSum", log_of_sum},
    {"ReduceLogSumExp", log_of_sum_of_exp},
    {"ReduceMax", extreme_element},
    {"ReduceMean", reduce_to_mean},
    {"ReduceMin", extreme_element},
    {"ReduceProd", product},
    {"ReduceSum", sum},
    {"ReduceSumSquare", sum_of_squares},
    {"Softmax", softmax},
};

}  // namespace

std::span<const NodeRow> reduction_rules() { return kReductions; }

}  // namespace cameo::gradient
