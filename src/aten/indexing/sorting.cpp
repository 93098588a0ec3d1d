// Elements in order: sorting, the k largest, medians, places in sorted sequences.
#include <fmt/core.h>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

// Equal elements keep their order.
std::vector<Expr> top(Emit& e, const Expr& self, const Dim& k, std::int64_t axis, bool largest,
                      bool sorted = true) {
  onnx::Attributes attributes;
  if (axis != self.rank() - 1) attributes.push_back({"axis", axis});
  if (!largest) attributes.push_back({"largest", std::int64_t{0}});
  if (!sorted) attributes.push_back({"sorted", std::int64_t{0}});
  const DType inside = implemented("TopK", self.dtype() == DType::boolean ? DType::u8 : self.dtype());
  std::vector<Expr> out = ops(e, "TopK", {cast(self, inside), e.dims({k})}, std::move(attributes), 2);
  return {cast(out[0], self.dtype()), out[1]};
}

std::vector<Expr> topk(Emit& e, Expr self, Dim k, std::int64_t dim, bool largest, bool sorted) {
  const std::int64_t axis = self.wrap(dim);
  if (self.rank() == 0) return {self, e.dim(0)};
  if (e.sym().less(self.dim(axis), k) == sym::Truth::yes || e.sym().less(k, 0) == sym::Truth::yes)
    throw ProgramError(fmt::format("k = {} is out of range for a dimension of size {}", to_string(k),
                                   to_string(self.dim(axis))));
  return top(e, self, k, axis, largest, sorted);
}

std::vector<Expr> sort(Emit& e, Expr self, std::int64_t dim, bool descending) {
  const std::int64_t axis = self.wrap(dim);
  if (self.rank() == 0) return {self, e.dim(0)};
  return top(e, self, self.dim(axis), axis, descending);
}
std::vector<Expr> sort_stable(Emit& e, Expr self, std::optional<bool>, std::int64_t dim, bool descending) {
  return sort(e, self, dim, descending);
}
Expr argsort(Emit& e, Expr self, std::int64_t dim, bool descending) {
  return sort(e, self, dim, descending)[1];
}
Expr argsort_stable(Emit& e, Expr self, bool, std::int64_t dim, bool descending) {
  return sort(e, self, dim, descending)[1];
}
Expr msort(Emit& e, Expr self) { return sort(e, self, 0, false)[0]; }

// The k-th smallest, counted from 1.
std::vector<Expr> kth(Emit& e, const Expr& self, const Dim& k, std::int64_t axis, bool keepdim) {
  std::vector<Expr> smallest = top(e, self, k, axis, false);
  for (Expr& x : smallest) x = gather(x, keepdim ? e.ints({-1}) : e.dim(-1), axis);
  return smallest;
}

std::vector<Expr> kthvalue(Emit& e, Expr self, Dim k, std::int64_t dim, bool keepdim) {
  const std::int64_t axis = self.wrap(dim);
  if (self.rank() == 0) return {self, e.dim(0)};
  if (e.sym().less(k, 1) == sym::Truth::yes || e.sym().less(self.dim(axis), k) == sym::Truth::yes)
    throw ProgramError("k is out of range");
  return kth(e, self, k, axis, keepdim);
}

// The lower one of two middle elements.
std::vector<Expr> median_dim(Emit& e, Expr self, std::int64_t dim, bool keepdim) {
  const std::int64_t axis = self.wrap(dim);
  if (self.rank() == 0) return {self, e.dim(0)};
  return kth(e, self, sym::floordiv(self.dim(axis) + 1, 2), axis, keepdim);
}
Expr median(Emit& e, Expr self) {
  return self.rank() == 0 ? self : median_dim(e, reshape(self, {self.shape().product()}), 0, false)[0];
}

// The number of boundaries below each value, or below and at it. Boundaries lie along the last dimension;
// `boundaries` and `values` have a dimension of size 1 for each other.
Expr count_below(Emit& e, Expr boundaries, Expr values, bool right, bool int32) {
  const Operands x = operands(e, Expr(boundaries), Expr(values));
  const Expr below = compute(e, right ? "LessOrEqual" : "Less", {x.a, x.b});
  const Expr places = reduce_sum(cast(below, DType::i64), {below.rank() - 1});
  return int32 ? Expr(cast(places, DType::i32)) : Expr(places);
}

bool from_right(bool right, const std::optional<std::string>& side) {
  if (side && *side != "left" && *side != "right")
    throw ProgramError(fmt::format("'side' must be 'left' or 'right', not '{}'", *side));
  if (side && *side == "left" && right) throw ProgramError("right=True contradicts side='left'");
  return side ? *side == "right" : right;
}

Expr searchsorted(Emit& e, Expr sequence, Expr self, bool out_int32, bool right,
                  std::optional<std::string> side, std::optional<Expr> sorter) {
  if (sequence.rank() == 0) throw ProgramError("the sequence must have at least one dimension");
  const std::int64_t last = sequence.rank() - 1;
  Expr boundaries = sorter ? Expr(gather_elements(sequence, *sorter, last)) : sequence;
  if (last > 0) boundaries = unsqueeze(boundaries, {last});
  return count_below(e, boundaries, unsqueeze(self, {self.rank()}), from_right(right, side), out_int32);
}
Expr searchsorted_number(Emit& e, Expr sequence, Scalar self, bool out_int32, bool right,
                         std::optional<std::string> side, std::optional<Expr> sorter) {
  return searchsorted(e, sequence, as(e, self, dtype_of(self)), out_int32, right, side, sorter);
}
Expr bucketize(Emit& e, Expr self, Expr boundaries, bool out_int32, bool right) {
  return searchsorted(e, boundaries, self, out_int32, right, std::nullopt, std::nullopt);
}
Expr bucketize_number(Emit& e, Scalar self, Expr boundaries, bool out_int32, bool right) {
  return searchsorted_number(e, boundaries, self, out_int32, right, std::nullopt, std::nullopt);
}

constexpr Declaration kSorting[] = {
    op<topk>("aten::topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor "
             "values, Tensor indices)",
             {.doc = "The k largest or smallest elements of a dimension, and where they are.",
              .quantized = OnQuantized::integers,
              .sample = "k=3",
              .result = Result::with_indices}),
    op<sort>("aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
             {.doc = "A dimension in order, and where its elements were; equal ones keep their order.",
              .quantized = OnQuantized::integers,
              .result = Result::with_indices}),
    op<sort_stable>(
        "aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor "
        "values, Tensor indices)",
        {.doc = "A dimension in order, and where its elements were.",
         .quantized = OnQuantized::integers,
         .result = Result::with_indices}),
    op<argsort>("aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor",
                {.doc = "The indices that sort a dimension.", .result = Result::index}),
    op<argsort_stable>(
        "aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor",
        {.doc = "The indices that sort a dimension.", .result = Result::index}),
    op<msort>("aten::msort(Tensor self) -> Tensor",
              {.doc = "The first dimension in order.", .quantized = OnQuantized::integers}),
    op<kthvalue>("aten::kthvalue(Tensor self, int k, int dim=-1, bool keepdim=False) -> (Tensor values, "
                 "Tensor indices)",
                 {.doc = "The k-th smallest elements of a dimension, and where they are.",
                  .sample = "k=3",
                  .result = Result::with_indices}),
    op<median>("aten::median(Tensor self) -> Tensor", {.doc = "The middle element; the lower one of two."}),
    op<median_dim>(
        "aten::median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
        {.doc = "The middle elements of a dimension, and where they are.", .result = Result::with_indices}),
    op<searchsorted>("aten::searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool "
                     "out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor",
                     {.doc = "Where values belong in sorted sequences.",
                      .sample = "sorted_sequence=f32[16]",
                      .result = Result::index}),
    op<searchsorted_number>(
        "aten::searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool "
        "right=False, str? side=None, Tensor? sorter=None) -> Tensor",
        {.doc = "Where a number belongs in a sorted sequence.",
         .sample = "sorted_sequence=f32[16]",
         .result = Result::index}),
    op<bucketize>("aten::bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool "
                  "right=False) -> Tensor",
                  {.doc = "Which of the ranges between boundaries values lie in.",
                   .sample = "boundaries=f32[16]",
                   .result = Result::index}),
    op<bucketize_number>("aten::bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, "
                         "bool right=False) -> Tensor",
                         {.doc = "Which of the ranges between boundaries a number lies in.",
                          .sample = "boundaries=f32[16]",
                          .result = Result::index}),
};

}  // namespace

std::span<const Declaration> sorting_ops() { return kSorting; }

}  // namespace cameo::aten
