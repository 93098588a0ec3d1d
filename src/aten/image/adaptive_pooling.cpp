// Pooling whose window follows from the size of the result:
// window i of an axis of size n that becomes m runs from floor(i*n/m) to ceil((i+1)*n/m).
#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/image/pooling.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Ints = std::vector<std::int64_t>;

// Integer nodes over vectors that grow with the number of windows: not formulas, one for each element.
Expr integers(Emit& e, std::string_view type, std::vector<onnx::Value*> inputs, Shape shape) {
  return e.op(type, std::move(inputs), {}, onnx::Type{.dtype = DType::i64, .shape = std::move(shape)});
}

struct Bounds {
  Expr start = nullptr;  // i64[windows, 1]
  Expr end = nullptr;
};

Bounds bounds_of(Emit& e, const Dim& size, const Dim& windows) {
  const auto n = size.as_constant(), m = windows.as_constant();
  if (n && m) {
    Ints start, end;
    for (std::int64_t i = 0; i < *m; ++i) {
      start.push_back(i * *n / *m);
      end.push_back(((i + 1) * *n + *m - 1) / *m);
    }
    return {e.unsqueeze(e.ints(start), {1}), e.unsqueeze(e.ints(end), {1})};
  }
  const Shape column{windows, 1};
  const Expr count = e.dim(windows);
  const Expr index = unsqueeze(indices(e, windows), {1});
  const Expr scaled = integers(e, "Mul", {index, e.dim(size)}, column);
  Expr start = integers(e, "Div", {scaled, count}, column);
  const Expr above = integers(e, "Add", {scaled, e.dim(size + windows - 1)}, column);
  return {start, integers(e, "Div", {above, count}, column)};
}

// [windows, size]: each row has the weights of one window's mean.
Expr mean_matrix(Emit& e, const Dim& size, const Dim& windows, DType dtype) {
  const Bounds bounds = bounds_of(e, size, windows);
  const Expr at = indices(e, size);
  const Expr inside = at >= bounds.start && at < bounds.end;
  const Expr length = bounds.end - bounds.start;
  return cast(inside, dtype) / cast(length, dtype);
}

Expr mean_along(Emit& e, Expr x, std::int64_t axis, const Dim& windows) {
  const Dim size = (*x->type.shape)[axis];
  const Expr matrix = mean_matrix(e, size, windows, x->dtype());
  if (axis == x->rank() - 2) return matmul(matrix, x);
  if (axis == x->rank() - 1) return matmul(x, transpose(matrix, {1, 0}));
  Ints perm(as_size(x->rank()));
  std::iota(perm.begin(), perm.end(), 0);
  std::swap(element_at(perm, axis), perm.back());
  const Expr turned = matmul(transpose(x, perm), transpose(matrix, {1, 0}));
  return transpose(turned, perm);
}

// The sizes of the windows where all of one axis are equal and there is no overlap.
std::optional<Shape> even_windows(Emit& e, const Expr& x, const Shape& output) {
  Shape windows;
  const std::size_t first = x->type.shape->size() - output.size();
  for (std::size_t i = 0; i < output.size(); ++i) {
    const std::optional<Dim> each = e.sym().divide_exactly((*x->type.shape)[first + i], output[i]);
    if (!each) return std::nullopt;
    windows.push_back(e.simplify(*each));
  }
  return windows;
}

bool all_constant(const Shape& shape) {
  return std::ranges::all_of(shape, [](const Dim& dim) { return dim.is_constant(); });
}

bool all_equal(Emit& e, const Shape& shape, const Dim& to) {
  return std::ranges::all_of(shape,
                             [&](const Dim& dim) { return e.sym().equal(dim, to) == sym::Truth::yes; });
}

onnx::Attributes window_attributes(const Shape& windows) {
  const Ints kernel = known_sizes(windows, "a pooling window");
  return {{"kernel_shape", kernel}, {"strides", kernel}};
}

Expr average(Emit& e, Expr x, const Shape& output) {
  const std::optional<Shape> windows = even_windows(e, x, output);
  if (windows && all_equal(e, *windows, 1)) return x;
  if (windows && all_constant(*windows) && x->dtype() != DType::f64)
    return e.op("AveragePool", {x}, window_attributes(*windows));
  if (windows) {
    Shape split = x->type.shape->first(x->rank() - output.rank());
    Ints inner;
    for (std::size_t i = 0; i < output.size(); ++i) {
      split.push_back(output[i]);
      inner.push_back(std::ssize(split));
      split.push_back((*windows)[i]);
    }
    return e.op("ReduceMean", {reshape(x, split), e.ints(inner)}, {{"keepdims", std::int64_t{0}}});
  }
  const Ints axes = last_axes(x, output.rank());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Dim size = (*x->type.shape)[axes[i]];
    if (e.sym().equal(size, output[i]) == sym::Truth::yes) continue;
    if (output[i] == Dim(1))
      x = e.op("ReduceMean", {x, e.ints({axes[i]})});
    else
      x = mean_along(e, x, axes[i], output[i]);
  }
  return x;
}

// Maxima along one axis; `places`, where there are any, become those of the maxima. A window shorter than
// the longest repeats its last element.
struct Maxima {
  Expr values = nullptr;
  Expr places = nullptr;
};

Maxima max_along(Emit& e, const Maxima& from, std::int64_t axis, const Dim& windows, const Dim& inner) {
  const Dim size = (*from.values->type.shape)[axis];
  const Bounds bounds = bounds_of(e, size, windows);
  const Expr within = indices(e, sym::min(size, sym::ceildiv(size, windows) + 1));
  const Expr last = bounds.end - 1;
  const Expr index = minimum(bounds.start + within, last);
  const Expr gathered = gather(from.values, index, axis);
  const Expr at = e.op("ArgMax", {gathered}, {{"axis", axis + 1}});
  Ints tail;
  for (std::int64_t i = 2; i < gathered->rank() - axis; ++i) tail.push_back(i);
  Expr place = at + (tail.empty() ? bounds.start : unsqueeze(bounds.start, tail));
  if (inner != Dim(1)) place = place * inner;
  if (from.places.value) {
    const Expr rest = gather(from.places, index, axis);
    place = place + gather_elements(rest, at, axis + 1);
  }
  return {e.op("ReduceMax", {gathered, e.ints({axis + 1})}, {{"keepdims", std::int64_t{0}}}),
          squeeze(place, {axis + 1})};
}

Maxima maxima(Emit& e, Expr x, const Shape& output) {
  const std::optional<Shape> windows = even_windows(e, x, output);
  Dim inner = 1;
  const Ints axes = last_axes(x, output.rank());
  if (windows && all_constant(*windows) && (x->dtype() == DType::f32 || x->dtype() == DType::f64)) {
    for (std::int64_t axis : axes) inner = inner * (*x->type.shape)[axis];
    const std::vector<Expr> out = ops(e, "MaxPool", {x}, window_attributes(*windows), 2);
    return {out[0], out[1] % inner};
  }
  Maxima result{x, nullptr};
  for (std::size_t i = axes.size(); i-- > 0;) {
    result = max_along(e, result, axes[i], output[i], inner);
    inner = inner * (*x->type.shape)[axes[i]];
  }
  return result;
}

}  // namespace

Expr adaptive_avg_pool(Emit& e, const Expr& self, std::int64_t axes, const Shape& output_size) {
  check_pooled(self, axes);
  if (!is_floating(self.dtype()))
    throw Unsupported(fmt::format("mean pooling of {} is not supported", name(self.dtype())));
  if (all_equal(e, output_size, 1)) return global_mean(e, self, axes);
  if (self.shape().product().as_constant() == 0) {
    Shape shape = self.shape().first(self.rank() - axes);
    shape.insert(shape.end(), output_size.begin(), output_size.end());
    return filled(e.scalar(self.dtype(), 0.0), shape);
  }
  const bool batched = has_batch(self, axes);
  const Expr x = average(e, batched ? self : unsqueeze(self, {0}), output_size);
  return batched ? x : squeeze(x, {0});
}

namespace {

// Values, and their places in the pooled dimensions counted row by row.
std::vector<Expr> adaptive_max_pool(Emit& e, const Expr& self, std::int64_t axes, const Shape& output_size) {
  check_pooled(self, axes);
  if (all_equal(e, output_size, 1)) return {global_max(e, self, axes), global_argmax(e, self, axes)};
  const bool batched = has_batch(self, axes);
  const Maxima out = maxima(e, batched ? self : unsqueeze(self, {0}), output_size);
  if (batched) return {out.values, out.places};
  return {squeeze(out.values, {0}), squeeze(out.places, {0})};
}

template <std::int64_t kAxes>
Expr adaptive_avg(Emit& e, Expr self, Shape output_size) {
  return adaptive_avg_pool(e, self, kAxes, spread_dims(output_size, kAxes, "output_size"));
}
template <std::int64_t kAxes>
std::vector<Expr> adaptive_max(Emit& e, Expr self, Shape output_size) {
  return adaptive_max_pool(e, self, kAxes, spread_dims(output_size, kAxes, "output_size"));
}

constexpr Declaration kAdaptivePooling[] = {
    op<adaptive_avg<1>>(
        "aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor",
        {.doc = "Means over so many windows of one dimension.", .quantized = OnQuantized::requantized}),
    op<adaptive_avg<2>>("aten::adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor",
                        {.doc = "Means over so many windows of two dimensions.",
                         .quantized = OnQuantized::requantized,
                         .aliases = {"aten::_adaptive_avg_pool2d"}}),
    op<adaptive_avg<3>>("aten::adaptive_avg_pool3d(Tensor self, int[3] output_size) -> Tensor",
                        {.doc = "Means over so many windows of three dimensions.",
                         .quantized = OnQuantized::requantized,
                         .aliases = {"aten::_adaptive_avg_pool3d"},
                         .sample = "self=f32[batch,6,depth,height,width]"}),
    op<adaptive_max<1>>("aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)",
                        {.doc = "Maxima over so many windows of one dimension, and where they are.",
                         .result = Result::with_indices}),
    op<adaptive_max<2>>("aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)",
                        {.doc = "Maxima over so many windows of two dimensions, and where they are.",
                         .result = Result::with_indices}),
    op<adaptive_max<3>>("aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)",
                        {.doc = "Maxima over so many windows of three dimensions, and where they are.",
                         .sample = "self=f32[batch,6,depth,height,width]",
                         .result = Result::with_indices}),
};

}  // namespace

std::span<const Declaration> adaptive_pooling_ops() { return kAdaptivePooling; }

}  // namespace cameo::aten
