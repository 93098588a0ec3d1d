// Reductions of parts of a dimension: segments, slices with one index, what broadcasting had spread.
#include <fmt/core.h>

#include <limits>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

enum class How { sum, mean, max, min, prod };

double neutral(How how) {
  switch (how) {
    case How::max: return -kInfinity;
    case How::min: return kInfinity;
    case How::prod: return 1;
    default: return 0;
  }
}

How reduction(const std::string& name) {
  if (name == "sum") return How::sum;
  if (name == "mean") return How::mean;
  if (name == "max" || name == "amax") return How::max;
  if (name == "min" || name == "amin") return How::min;
  if (name == "prod") return How::prod;
  throw ProgramError(fmt::format("'{}' is not a reduction", name));
}

struct Segments {
  Expr starts, ends;  // along their last dimension
};
Segments segments_of(const std::optional<Expr>& lengths, const std::optional<Expr>& offsets) {
  if (lengths) {
    const Expr sizes = cast(*lengths, DType::i64);
    const Expr ends = cumulative_sum(sizes, lengths->rank() - 1);
    return {ends - sizes, ends};
  }
  if (!offsets) throw ProgramError("one of 'lengths' and 'offsets' must be given");
  const std::int64_t last = offsets->rank() - 1;
  const Dim count = offsets->dim(last);
  const Expr at = cast(*offsets, DType::i64);
  return {slice(at, last, 0, count - 1), slice(at, last, 1, count)};
}

Expr segment_reduce(Emit& e, Expr data, std::string reduce_by, std::optional<Expr> lengths,
                    std::optional<Expr> indices, std::optional<Expr> offsets, std::int64_t axis_number, bool,
                    std::optional<Scalar> initial) {
  if (indices) throw ProgramError("'indices' are not supported");
  if (!is_floating(data.dtype())) throw ProgramError("the input must have a floating-point type");
  const std::int64_t axis = data.wrap(axis_number);
  const How how = reduction(reduce_by);
  const Segments segments = segments_of(lengths, offsets);
  if (segments.ends.rank() != axis + 1)
    throw ProgramError("'lengths' must have one dimension more than there are before the axis");
  const Expr positions = aten::indices(e, data.dim(axis));
  const Expr starts = unsqueeze(segments.starts, {axis + 1});
  const Expr ends = unsqueeze(segments.ends, {axis + 1});
  const Expr inside = starts <= positions && positions < ends;
  Axes behind;
  for (std::int64_t i = axis + 1; i < data.rank(); ++i) behind.push_back(i + 1);
  const Expr members =
      compute(e, "Where", {unsqueeze(inside, behind), unsqueeze(data, {axis}), data.number(neutral(how))});
  const char* op = how == How::max    ? "ReduceMax"
                   : how == How::min  ? "ReduceMin"
                   : how == How::prod ? "ReduceProd"
                                      : "ReduceSum";
  Expr out = reduce(op, members, {axis + 1}, false);
  if (initial) {
    const Expr first = scalar_like(data, *initial);
    out = how == How::max    ? maximum(out, first)
          : how == How::min  ? minimum(out, first)
          : how == How::prod ? out * first
                             : out + first;
  }
  if (how != How::mean) return out;
  Axes spread_axes;
  for (std::int64_t i = axis + 1; i < data.rank(); ++i) spread_axes.push_back(i);
  const Expr sizes = unsqueeze(cast(segments.ends - segments.starts, data.dtype()), spread_axes);
  return out / (initial ? maximum(sizes, 1) : sizes);
}

// Slices along a dimension, combined where they have the same index.
Expr index_reduce(Emit& e, Expr self, std::int64_t dim, Expr index, Expr source, std::string reduce_by,
                  bool include_self) {
  const How how = reduction(reduce_by);
  if (how == How::sum) throw ProgramError("'reduce' must be 'prod', 'mean', 'amax' or 'amin'");
  const std::int64_t axis = self.wrap(dim);
  if (index.shape().product().as_constant() == 0) return self;
  auto with_axis = [&](const Expr& x) { return x.rank() == 0 ? Expr(reshape(x, {1})) : x; };
  const Expr x = with_axis(self), places = with_axis(index), updates = with_axis(cast(source, self.dtype()));
  Shape column(x.shape().size(), Dim(1));
  column[axis] = places.dim(0);
  const Expr at = expand(reshape(cast(places, DType::i64), column), updates.shape());
  auto scatter = [&](Expr into, Expr what, const char* combine) {
    onnx::Attributes attributes{{"axis", axis}};
    if (combine) attributes.push_back({"reduction", std::string(combine)});
    return e.op("ScatterElements", {into, at, what}, std::move(attributes));
  };
  auto full = [&](std::int64_t number, const Shape& shape) {
    return filled(e.scalar(self.dtype(), number), shape);
  };
  Expr start = x;
  if (!include_self)
    start = scatter(x,
                    how == How::prod   ? full(1, updates.shape())
                    : how == How::mean ? full(0, updates.shape())
                                       : updates,
                    nullptr);
  Expr out = scatter(start, updates,
                     how == How::prod   ? "mul"
                     : how == How::mean ? "add"
                     : how == How::max  ? "max"
                                        : "min");
  if (how == How::mean) {
    Expr counts = scatter(full(include_self ? 1 : 0, x.shape()), full(1, updates.shape()), "add");
    counts = maximum(counts, 1);
    out = is_floating(self.dtype()) ? out / counts : (out - out % counts) / counts;
  }
  return self.rank() == 0 ? Expr(reshape(out, {})) : Expr(out);
}

// Sums what broadcasting had spread, so that this size remains.
Expr sum_to_size(Emit& e, Expr self, Shape size) {
  const auto rank = std::ssize(size);
  const std::int64_t added = self.rank() - rank;
  if (added < 0) throw ProgramError("the size has more dimensions than the tensor");
  Axes axes;
  for (std::int64_t i = 0; i < self.rank(); ++i) {
    const Dim own = self.dim(i);
    if (i < added || (element_at(size, i - added).as_constant() == 1 && own.as_constant() != 1))
      axes.push_back(i);
    else if (e.sym().equal(own, element_at(size, i - added)) == sym::Truth::no)
      throw ProgramError("the size cannot be broadcast to that of the tensor");
  }
  if (axes.empty() && rank > 0) return self;
  const Expr x = is_whole(self) ? cast(self, DType::i64) : self;
  return axes.empty() ? Expr(x) : Expr(reshape(reduce_sum(x, axes, true), size));
}

constexpr Declaration kSegments[] = {
    op<segment_reduce>(
        "aten::segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, "
        "Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor",
        {.doc = "Reductions of the segments of a dimension; work grows with their number times its size.",
         .sample = "data=f32[12,width], reduce='sum', lengths=i64[batch]"}),
    op<index_reduce>(
        "aten::index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool "
        "include_self=True) -> Tensor",
        {.doc = "Combines slices with those at chosen indices of a dimension.",
         .sample = "self=f32[batch,6,width], dim=1, index=i64[3], source=f32[batch,3,width], reduce='prod'"}),
    op<sum_to_size>("aten::sum_to_size(Tensor self, int[] size) -> Tensor",
                    {.doc = "Sums that undo broadcasting.",
                     .complex = OnComplex::by_parts,
                     .sample = "self=f32[batch,6,width], size=[6, 1]"}),
};

}  // namespace

std::span<const Declaration> segments_ops() { return kSegments; }

}  // namespace cameo::aten
