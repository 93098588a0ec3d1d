// Quantiles, medians without what is not a number, and the most frequent element.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using onnx::Value;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Tensor axis_last(Emit& e, const Tensor& x, std::int64_t axis) {
  Axes perm = all_axes(x);
  std::rotate(perm.begin() + axis, perm.begin() + axis + 1, perm.end());
  return e.transpose(x, perm);
}

// The last dimension in order, what is not a number at the end as if infinite; and where its elements were.
std::vector<Value*> ascending(Emit& e, const Tensor& x, Value* nan) {
  Value* numbers = nan ? compute(e, "Where", {nan, like(e, x, kInfinity), x}) : x.value;
  const DType inside = implemented("TopK", x.dtype() == DType::boolean ? DType::u8 : x.dtype());
  std::vector<Value*> out =
      e.ops("TopK", {e.cast(numbers, inside), e.dims({x.dim(-1)})}, {{"largest", std::int64_t{0}}}, 2);
  return {e.cast(out[0], x.dtype()), out[1]};
}

enum class Between { linear, lower, higher, midpoint, nearest };

Between between(const std::string& interpolation) {
  constexpr const char* kNames[] = {"linear", "lower", "higher", "midpoint", "nearest"};
  const auto* found = std::ranges::find(kNames, interpolation);
  if (found == std::end(kNames))
    throw ProgramError(fmt::format("the interpolation '{}' is unknown", interpolation));
  return static_cast<Between>(found - std::begin(kNames));
}

// What stands at fractional places of the last dimension. One list of places for all, or one for each row.
Value* at_places(Emit& e, Value* sorted, Value* places, bool shared, Between how) {
  const std::int64_t last = Tensor(sorted).rank() - 1;
  auto read = [&](Value* whole) {
    Value* index = e.cast(whole, DType::i64);
    return shared ? e.gather(sorted, index, last) : e.op("GatherElements", {sorted, index}, {{"axis", last}});
  };
  switch (how) {
    case Between::lower: return read(e.op("Floor", {places}));
    case Between::higher: return read(e.op("Ceil", {places}));
    case Between::nearest: return read(e.op("Round", {places}));
    default: break;
  }
  Value* below = e.op("Floor", {places});
  Value* weight = how == Between::midpoint ? like(e, places, 0.5) : e.op("Sub", {places, below});
  return lerp(e, read(below), read(e.op("Ceil", {places})), weight);
}

Tensor quantiles(Emit& e, const Tensor& self, const Tensor& q, std::optional<std::int64_t> dim, bool keepdim,
                 Between how, bool skip_nan) {
  if (self.dtype() != DType::f32 && self.dtype() != DType::f64)
    throw ProgramError("the input must have the dtype float32 or float64");
  if (q.rank() > 1 || q.dtype() != self.dtype())
    throw ProgramError("'q' must have at most one dimension, and the dtype of the input");
  if (numel(e, self).as_constant() == 0) throw ProgramError("the input has no elements");
  const bool whole = !dim || self.rank() == 0;
  const std::int64_t axis = whole ? 0 : self.wrap(*dim);
  const Tensor x = axis_last(e, whole ? Tensor(e.reshape(self, {numel(e, self)})) : self, axis);
  const std::int64_t last = x.rank() - 1;
  const bool several = q.rank() == 1;

  Value* nan = e.op("IsNaN", {x});
  Value* sorted = ascending(e, x, nan)[0];
  Value* invalid = nullptr;
  Value* places = nullptr;
  if (skip_nan) {
    Value* count = reduce(e, "ReduceSum", e.cast(e.op("Not", {nan}), x.dtype()), {last}, true);
    Value* end = e.op("Sub", {count, like(e, x, 1)});
    places = compute(e, "Max", {e.op("Mul", {several ? q.value : e.reshape(q, {1}), end}), like(e, x, 0)});
    invalid = compute(e, "Equal", {count, like(e, x, 0)});
  } else {
    places = e.op("Mul", {q, e.cast(e.dim(x.dim(-1) - 1), x.dtype())});
    invalid = any_of(e, nan, {last}, several);
  }
  Value* found = at_places(e, sorted, places, !skip_nan, how);
  Tensor out = compute(e, "Where", {invalid, like(e, x, kNan), found});
  if (several) {
    Axes front = all_axes(out);
    std::rotate(front.begin(), front.end() - 1, front.end());
    out = e.transpose(out, front);
  } else if (skip_nan) {
    out = e.squeeze(out, {last});
  }
  if (!keepdim || self.rank() == 0) return out;
  const std::int64_t shift = several ? 1 : 0;
  Axes kept{axis + shift};
  if (whole) {
    kept.clear();
    for (std::int64_t i = 0; i < self.rank(); ++i) kept.push_back(i + shift);
  }
  return e.unsqueeze(out, kept);
}

template <bool kSkipNan>
Tensor quantile(Emit& e, Tensor self, Tensor q, std::optional<std::int64_t> dim, bool keepdim,
                std::string interpolation) {
  return quantiles(e, self, q, dim, keepdim, between(interpolation), kSkipNan);
}
template <bool kSkipNan>
Tensor quantile_number(Emit& e, Tensor self, Scalar q, std::optional<std::int64_t> dim, bool keepdim,
                       std::string interpolation) {
  if (const std::optional<double> known = q.known(); known && (*known < 0 || *known > 1))
    throw ProgramError("'q' must be between 0 and 1");
  return quantiles(e, self, scalar_like(e, self, q), dim, keepdim, between(interpolation), kSkipNan);
}

// The lower one of two middle elements.
std::vector<Tensor> nanmedian_dim(Emit& e, Tensor self, std::int64_t dim, bool keepdim) {
  const std::int64_t axis = self.wrap(dim);
  if (self.rank() == 0) return {self, e.dim(0)};
  const Tensor x = axis_last(e, self, axis);
  const std::int64_t last = x.rank() - 1;
  if (x.dim(-1).as_constant() == 0) throw ProgramError("the dimension has no elements");
  Value* nan = is_floating(x.dtype()) ? e.op("IsNaN", {x}) : nullptr;
  auto gather = [&](Value* from, Value* index) {
    return e.op("GatherElements", {from, index}, {{"axis", last}});
  };
  std::vector<Value*> order = ascending(e, x, nan);
  Value* middle = e.dims(Shape{sym::floordiv(x.dim(-1) - 1, 2)});
  Value *values = order[0], *indices = order[1];
  if (nan) {
    // Infinite numbers come before what is not a number.
    Value* behind = gather(e.cast(nan, DType::i32), indices);
    Value* stable = ascending(e, behind, nullptr)[1];
    indices = gather(indices, stable);
    values = gather(x, indices);
    Value* numbers = reduce(e, "ReduceSum", e.cast(e.op("Not", {nan}), DType::i64), {last}, true);
    middle = e.op("Div", {compute(e, "Max", {e.op("Sub", {numbers, e.dim(1)}), e.dim(0)}), e.dim(2)});
  }
  std::vector<Tensor> out;
  for (Value* each : {values, indices}) {
    Value* found = nan ? gather(each, middle) : e.gather(each, middle, last);
    found = e.squeeze(found, {last});
    out.emplace_back(keepdim ? e.unsqueeze(found, {axis}) : found);
  }
  return out;
}
Tensor nanmedian(Emit& e, Tensor self) {
  return self.rank() == 0 ? self : nanmedian_dim(e, e.reshape(self, {numel(e, self)}), 0, false)[0];
}

// The smallest of those that occur most often, and the last of its places.
std::vector<Tensor> mode(Emit& e, Tensor self, std::int64_t dim, bool keepdim) {
  const std::int64_t axis = self.wrap(dim);
  if (self.rank() == 0) return {self, e.dim(0)};
  const DType dtype = self.dtype() == DType::boolean ? DType::i32 : implemented("ReduceMin", self.dtype());
  const Tensor x = axis_last(e, e.cast(self, dtype), axis);
  const std::int64_t last = x.rank() - 1;
  Value* equal = compute(e, "Equal", {e.unsqueeze(x, {last + 1}), e.unsqueeze(x, {last})});
  Value* counts = reduce(e, "ReduceSum", e.cast(equal, DType::i32), {last + 1}, false);
  Value* most = e.op("Equal", {counts, reduce(e, "ReduceMax", counts, {last}, true)});
  Value* largest = reduce(e, "ReduceMax", x, {last}, true);
  Value* value = reduce(e, "ReduceMin", compute(e, "Where", {most, x, largest}), {last}, true);
  Value* there = e.op("And", {most, compute(e, "Equal", {x, value})});
  Value* index =
      e.op("ArgMax", {e.cast(there, DType::i32)},
           {{"axis", last}, {"keepdims", std::int64_t{0}}, {"select_last_index", std::int64_t{1}}});
  Value* out = e.cast(e.squeeze(value, {last}), self.dtype());
  if (!keepdim) return {out, index};
  return {e.unsqueeze(out, {axis}), e.unsqueeze(index, {axis})};
}

constexpr Declaration kQuantiles[] = {
    op<quantile<false>>("aten::quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str "
                        "interpolation=\"linear\") -> Tensor",
                        {.doc = "What stands at shares of a dimension in order."}),
    op<quantile_number<false>>("aten::quantile.scalar(Tensor self, float q, int? dim=None, bool "
                               "keepdim=False, *, str interpolation=\"linear\") -> Tensor",
                               {.doc = "What stands at a share of a dimension in order."}),
    op<quantile<true>>("aten::nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str "
                       "interpolation=\"linear\") -> Tensor",
                       {.doc = "Quantiles of those elements that are numbers."}),
    op<quantile_number<true>>("aten::nanquantile.scalar(Tensor self, float q, int? dim=None, bool "
                              "keepdim=False, *, str interpolation=\"linear\") -> Tensor",
                              {.doc = "A quantile of those elements that are numbers."}),
    op<nanmedian>("aten::nanmedian(Tensor self) -> Tensor",
                  {.doc = "The middle one of the elements that are numbers."}),
    op<nanmedian_dim>(
        "aten::nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
        {.doc = "The middle ones of a dimension's elements that are numbers, and where they are.",
         .result = Result::with_indices}),
    op<mode>("aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
             {.doc = "The most frequent elements of a dimension; work and memory grow with its square.",
              .result = Result::with_indices}),
};

}  // namespace

std::span<const Declaration> quantiles_ops() { return kQuantiles; }

}  // namespace cameo::aten
