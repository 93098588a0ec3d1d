// Pooling at given places: windows that samples spread, and pooled elements put back to where they came from.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Expr unpool(Emit& e, const Expr& self, const Expr& indices, const Shape& output_size, std::int64_t axes) {
  const Shape& shape = self.shape();
  if (shape.rank() != axes + 1 && shape.rank() != axes + 2)
    throw ProgramError("the input must have a batch dimension, channels, and the pooled dimensions");
  if (output_size.rank() != axes) throw ProgramError("there must be one output size for each dimension");
  const Shape outer = shape.first(shape.rank() - axes);
  Shape flat = outer, whole = outer, out = outer;
  flat.push_back(shape.last(axes).product());
  whole.push_back(output_size.product());
  out.insert(out.end(), output_size.begin(), output_size.end());
  const Expr nothing = filled(e.scalar(self.dtype(), std::int64_t{0}), whole);
  if (self.shape().product().as_constant() == 0) return reshape(nothing, out);
  const Expr placed = e.op("ScatterElements", {nothing, reshape(indices, flat), reshape(self, flat)},
                           {{"axis", std::ssize(outer)}});
  return reshape(placed, out);
}

// The gradients of maxima, added up at their positions.
Expr max_pool_backward(Emit& e, Expr grad_output, Expr self, Ignored, Ignored, Ignored, Ignored, Ignored,
                       Expr indices) {
  const Shape outer = self.shape().first(self.rank() - 2);
  Shape flat = outer, whole = outer;
  flat.push_back(grad_output.shape().last(2).product());
  whole.push_back(self.shape().last(2).product());
  const Expr nothing = filled(self.number(0), whole);
  if (grad_output.shape().product().as_constant() == 0) return reshape(nothing, self.shape());
  const Expr placed = e.op("ScatterElements", {nothing, reshape(indices, flat), reshape(grad_output, flat)},
                           {{"axis", std::ssize(outer)}, {"reduction", std::string("add")}});
  return reshape(placed, self.shape());
}

Expr max_unpool2d(Emit& e, Expr self, Expr indices, Shape output_size) {
  return unpool(e, self, indices, output_size, 2);
}
Expr max_unpool3d(Emit& e, Expr self, Expr indices, Shape output_size, Ignored, Ignored) {
  return unpool(e, self, indices, output_size, 3);
}

// Where the windows of a dimension begin, [batch, channels, count]: the first count - 1 at random steps, the
// last one at the end.
Expr window_starts(Emit& e, const Expr& sample, const Dim& size, std::int64_t window, std::int64_t count) {
  const Expr last = e.dim(size - window);
  if (count == 1) return expand(last, {sample.dim(0), sample.dim(1), 1});
  const Expr step = cast(last, sample.dtype()) / static_cast<double>(count - 1);
  auto reached = [&](Expr from) { return cast(from * step, DType::i64); };
  const Expr numbers = indices(e, count);
  const Expr random = reached(cast(numbers, sample.dtype()) + sample) - reached(sample);
  return where(equal(numbers, count - 1), last, random);
}

// Maxima of windows, and where they are, counted row by row. The samples of 2-d pooling start with the last
// dimension.
std::vector<Expr> fractional_pool(Emit& e, const Expr& self, const Axes& window, const Axes& count,
                                  const Expr& samples) {
  const std::size_t axes = window.size();
  const bool single = self.shape().size() == axes + 1;
  if (!single && self.shape().size() != axes + 2)
    throw ProgramError("the input must have a batch dimension, channels, and the dimensions to pool");
  if (count.size() != axes) throw ProgramError("there must be one size for each dimension");
  const Expr x = single ? Expr(unsqueeze(self, {0})) : self;
  const Expr chosen = cast(samples, x.dtype());
  Shape places{x.dim(0), x.dim(1)};
  Expr at = e.dim(0);
  Dim total(1);
  std::int64_t inside = 1, outside = 1, which = axes == 2 ? 1 : 0;
  for (std::size_t i = 0; i < axes; ++i) {
    const Dim size = x.shape()[i + 2];
    const Expr sample = slice(chosen, 2, which, which + 1);
    const Expr starts = window_starts(e, sample, size, window[i], count[i]);
    which += axes == 2 ? -1 : 1;
    // [batch, channels, …count…, …window…]
    Shape of_starts{x.dim(0), x.dim(1)}, of_window(2 * axes, Dim(1));
    of_starts.insert(of_starts.end(), 2 * axes, Dim(1));
    of_starts[2 + i] = count[i];
    of_window[axes + i] = window[i];
    const Expr within = reshape(indices(e, window[i]), of_window);
    at = at * size + (reshape(starts, of_starts) + within);
    total = total * size;
    inside *= window[i];
    outside *= count[i];
  }
  const Shape outer{x.dim(0), x.dim(1)};
  auto shaped = [&](std::initializer_list<Dim> rest) {
    Shape shape = outer;
    shape.insert(shape.end(), rest);
    return shape;
  };
  const Expr positions = reshape(at, shaped({outside * inside}));
  const Expr found = gather_elements(reshape(x, shaped({total})), positions, 2);
  const Expr windows = reshape(found, shaped({outside, inside}));
  const Expr best =
      e.op("ArgMax", {cast(windows, implemented("ArgMax", windows->dtype()))}, {{"axis", std::int64_t{3}}});
  const Expr indices = gather_elements(reshape(positions, shaped({outside, inside})), best, 3);
  Shape out = single ? Shape{x.dim(1)} : outer;
  out.insert(out.end(), count.begin(), count.end());
  return {reshape(reduce_max(windows, {3}), out), reshape(indices, out)};
}

template <std::int64_t kAxes>
std::vector<Expr> fractional_max_pool(Emit& e, Expr self, Axes kernel_size, Axes output_size,
                                      Expr random_samples) {
  return fractional_pool(e, self, spread(kernel_size, kAxes, "kernel_size"),
                         spread(output_size, kAxes, "output_size"), random_samples);
}

constexpr Declaration kUnpooling[] = {
    op<fractional_max_pool<2>>(
        "aten::fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor "
        "random_samples) -> (Tensor, Tensor)",
        {.doc = "Maxima of windows that samples spread, and where they are."}),
    op<fractional_max_pool<3>>(
        "aten::fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor "
        "random_samples) -> (Tensor, Tensor)",
        {.doc = "Maxima of windows that samples spread, and where they are."}),
    op<max_pool_backward>(
        "aten::max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] "
        "stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor",
        {.doc = "The gradient of max_pool2d_with_indices.",
         .sample = "grad_output=f32[batch,6,4,5], self=f32[batch,6,8,10], kernel_size=[2, 2], stride=[2, 2], "
                   "padding=[0, 0], dilation=[1, 1], ceil_mode=False, indices=i64[batch,6,4,5]"}),
    op<max_unpool2d>("aten::max_unpool2d(Tensor self, Tensor indices, int[2] output_size) -> Tensor",
                     {.doc = "Maxima at the positions that pooling returned, 0 elsewhere.",
                      .sample = "self=f32[batch,6,4,5], indices=i64[batch,6,4,5], output_size=[8, 10]"}),
    op<max_unpool3d>("aten::max_unpool3d(Tensor self, Tensor indices, int[3] output_size, int[3] stride, "
                     "int[3] padding) -> Tensor",
                     {.doc = "Maxima at the positions that pooling returned, 0 elsewhere.",
                      .sample = "self=f32[batch,6,4,5,3], indices=i64[batch,6,4,5,3], output_size=[8, 10, "
                                "6], stride=[2, 2, 2], padding=[0, 0, 0]"}),
};

}  // namespace

std::span<const Declaration> unpooling_ops() { return kUnpooling; }

}  // namespace cameo::aten
