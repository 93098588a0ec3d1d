// Quantiles, medians without what is not a number, and the most frequent element.
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Expr axis_last(const Expr& x, std::int64_t axis) {
  Axes perm = all_axes(x);
  std::rotate(perm.begin() + axis, perm.begin() + axis + 1, perm.end());
  return transpose(x, perm);
}

// The last dimension in order, what is not a number at the end as if infinite; and where its elements were.
std::vector<Expr> ascending(Emit& e, const Expr& x, Expr nan) {
  const Expr numbers = nan.value ? where(nan, kInfinity, x) : x;
  const DType inside = implemented("TopK", x.dtype() == DType::boolean ? DType::u8 : x.dtype());
  std::vector<Expr> out =
      ops(e, "TopK", {cast(numbers, inside), e.dims({x.dim(-1)})}, {{"largest", std::int64_t{0}}}, 2);
  return {cast(out[0], x.dtype()), out[1]};
}

enum class Between { linear, lower, higher, midpoint, nearest };

Between between(const std::string& interpolation) {
  constexpr const char* kNames[] = {"linear", "lower", "higher", "midpoint", "nearest"};
  const auto* found = std::ranges::find(kNames, interpolation);
  if (found == std::end(kNames))
    throw ProgramError(fmt::format("the interpolation '{}' is unknown", interpolation));
  return static_cast<Between>(found - std::begin(kNames));
}

// The elements at fractional positions of the last dimension. One list of places for all, or one for each
// row.
Expr at_places(Expr sorted, Expr places, bool shared, Between how) {
  const std::int64_t last = sorted.rank() - 1;
  auto read = [&](Expr whole) {
    const Expr index = cast(whole, DType::i64);
    return shared ? gather(sorted, index, last) : gather_elements(sorted, index, last);
  };
  switch (how) {
    case Between::lower: return read(floor(places));
    case Between::higher: return read(ceil(places));
    case Between::nearest: return read(round(places));
    default: break;
  }
  const Expr below = floor(places);
  const Expr weight = how == Between::midpoint ? places.number(0.5) : places - below;
  return lerp(read(below), read(ceil(places)), weight);
}

Expr quantiles(Emit& e, const Expr& self, const Expr& q, std::optional<std::int64_t> dim, bool keepdim,
               Between how, bool skip_nan) {
  if (self.dtype() != DType::f32 && self.dtype() != DType::f64)
    throw ProgramError("the input must have the dtype float32 or float64");
  if (q.rank() > 1 || q.dtype() != self.dtype())
    throw ProgramError("'q' must have at most one dimension, and the dtype of the input");
  if (self.shape().product().as_constant() == 0) throw ProgramError("the input has no elements");
  const bool whole = !dim || self.rank() == 0;
  const std::int64_t axis = whole ? 0 : self.wrap(*dim);
  const Expr x = axis_last(whole ? Expr(reshape(self, {self.shape().product()})) : self, axis);
  const std::int64_t last = x.rank() - 1;
  const bool several = q.rank() == 1;

  const Expr nan = is_nan(x);
  const Expr sorted = ascending(e, x, nan)[0];
  Expr invalid = nullptr;
  Expr places = nullptr;
  if (skip_nan) {
    const Expr count = reduce_sum(cast(!nan, x.dtype()), {last}, true);
    const Expr end = count - 1;
    places = maximum((several ? q : reshape(q, {1})) * end, 0);
    invalid = equal(count, 0);
  } else {
    places = q * e.cast(e.dim(x.dim(-1) - 1), x.dtype());
    invalid = any_of(nan, {last}, several);
  }
  const Expr found = at_places(sorted, places, !skip_nan, how);
  Expr out = where(invalid, kNan, found);
  if (several) {
    Axes front = all_axes(out);
    std::rotate(front.begin(), front.end() - 1, front.end());
    out = transpose(out, front);
  } else if (skip_nan) {
    out = squeeze(out, {last});
  }
  if (!keepdim || self.rank() == 0) return out;
  const std::int64_t shift = several ? 1 : 0;
  Axes kept{axis + shift};
  if (whole) {
    kept.clear();
    for (std::int64_t i = 0; i < self.rank(); ++i) kept.push_back(i + shift);
  }
  return unsqueeze(out, kept);
}

template <bool kSkipNan>
Expr quantile(Emit& e, Expr self, Expr q, std::optional<std::int64_t> dim, bool keepdim,
              std::string interpolation) {
  return quantiles(e, self, q, dim, keepdim, between(interpolation), kSkipNan);
}
template <bool kSkipNan>
Expr quantile_number(Emit& e, Expr self, Scalar q, std::optional<std::int64_t> dim, bool keepdim,
                     std::string interpolation) {
  if (const std::optional<double> known = q.known(); known && (*known < 0 || *known > 1))
    throw ProgramError("'q' must be between 0 and 1");
  return quantiles(e, self, scalar_like(self, q), dim, keepdim, between(interpolation), kSkipNan);
}

// The lower one of two middle elements.
std::vector<Expr> nanmedian_dim(Emit& e, Expr self, std::int64_t dim, bool keepdim) {
  const std::int64_t axis = self.wrap(dim);
  if (self.rank() == 0) return {self, e.dim(0)};
  const Expr x = axis_last(self, axis);
  const std::int64_t last = x.rank() - 1;
  if (x.dim(-1).as_constant() == 0) throw ProgramError("the dimension has no elements");
  const Expr nan = is_floating(x.dtype()) ? is_nan(x) : nullptr;
  const auto at = [&](const Expr& from, const Expr& index) { return gather_elements(from, index, last); };
  std::vector<Expr> order = ascending(e, x, nan);
  Expr middle = e.dims(Shape{sym::floordiv(x.dim(-1) - 1, 2)});
  Expr values = order[0], indices = order[1];
  if (nan.value) {
    // Infinite numbers come before what is not a number.
    const Expr behind = at(cast(nan, DType::i32), indices);
    const Expr stable = ascending(e, behind, nullptr)[1];
    indices = at(indices, stable);
    values = at(x, indices);
    const Expr numbers = reduce_sum(cast(!nan, DType::i64), {last}, true);
    middle = maximum(numbers - 1, 0) / 2;
  }
  std::vector<Expr> out;
  for (const Expr& each : {values, indices}) {
    Expr found = nan.value ? at(each, middle) : gather(each, middle, last);
    found = squeeze(found, {last});
    out.emplace_back(keepdim ? unsqueeze(found, {axis}) : found);
  }
  return out;
}
Expr nanmedian(Emit& e, Expr self) {
  return self.rank() == 0 ? self : nanmedian_dim(e, reshape(self, {self.shape().product()}), 0, false)[0];
}

// The smallest of those that occur most often, and the last of its places.
std::vector<Expr> mode(Emit& e, Expr self, std::int64_t dim, bool keepdim) {
  const std::int64_t axis = self.wrap(dim);
  if (self.rank() == 0) return {self, e.dim(0)};
  const DType dtype = self.dtype() == DType::boolean ? DType::i32 : implemented("ReduceMin", self.dtype());
  const Expr x = axis_last(cast(self, dtype), axis);
  const std::int64_t last = x.rank() - 1;
  const Expr same = equal(unsqueeze(x, {last + 1}), unsqueeze(x, {last}));
  const Expr counts = reduce_sum(cast(same, DType::i32), {last + 1});
  const Expr most = equal(counts, reduce_max(counts, {last}, true));
  const Expr largest = reduce_max(x, {last}, true);
  const Expr value = reduce_min(where(most, x, largest), {last}, true);
  const Expr there = most && equal(x, value);
  const Expr index =
      e.op("ArgMax", {cast(there, DType::i32)},
           {{"axis", last}, {"keepdims", std::int64_t{0}}, {"select_last_index", std::int64_t{1}}});
  const Expr out = cast(squeeze(value, {last}), self.dtype());
  if (!keepdim) return {out, index};
  return {unsqueeze(out, {axis}), unsqueeze(index, {axis})};
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
