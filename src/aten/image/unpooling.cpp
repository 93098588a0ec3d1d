// Pooling at given places: windows that samples spread, and pooled elements put back to where they came from.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using onnx::Value;

Tensor unpool(Emit& e, const Tensor& self, const Tensor& indices, const Shape& output_size,
              std::size_t axes) {
  const Shape& shape = self.shape();
  if (shape.size() != axes + 1 && shape.size() != axes + 2)
    throw ProgramError("the input must have a batch dimension, channels, and the pooled dimensions");
  if (output_size.size() != axes) throw ProgramError("there must be one output size for each dimension");
  const Shape outer(shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(axes));
  Dim pooled(1), total(1);
  for (std::size_t i = 0; i < axes; ++i) {
    pooled = pooled * shape[outer.size() + i];
    total = total * output_size[i];
  }
  Shape flat = outer, whole = outer, out = outer;
  flat.push_back(pooled);
  whole.push_back(total);
  out.insert(out.end(), output_size.begin(), output_size.end());
  Value* nothing = filled(e, e.scalar(self.dtype(), std::int64_t{0}), whole);
  if (numel(e, self).as_constant() == 0) return e.reshape(nothing, out);
  Value* placed = e.op("ScatterElements", {nothing, e.reshape(indices, flat), e.reshape(self, flat)},
                       {{"axis", static_cast<std::int64_t>(outer.size())}});
  return e.reshape(placed, out);
}

Tensor max_unpool2d(Emit& e, Tensor self, Tensor indices, Shape output_size) {
  return unpool(e, self, indices, output_size, 2);
}
Tensor max_unpool3d(Emit& e, Tensor self, Tensor indices, Shape output_size, Ignored, Ignored) {
  return unpool(e, self, indices, output_size, 3);
}

// Where the windows of a dimension begin, [batch, channels, count]: the first count - 1 at random steps, the
// last one at the end.
Value* window_starts(Emit& e, const Tensor& sample, const Dim& size, std::int64_t window,
                     std::int64_t count) {
  Value* last = e.dim(size - window);
  if (count == 1) return e.expand(last, {sample.dim(0), sample.dim(1), 1});
  Value* step = e.op("Div", {e.cast(last, sample.dtype()), like(e, sample, static_cast<double>(count - 1))});
  auto reached = [&](Value* from) { return e.cast(e.op("Mul", {from, step}), DType::i64); };
  Value* numbers = indices(e, count);
  Value* random =
      e.op("Sub", {reached(e.op("Add", {e.cast(numbers, sample.dtype()), sample})), reached(sample)});
  return e.op("Where", {e.op("Equal", {numbers, e.dim(count - 1)}), last, random});
}

// Maxima of windows, and where they are, counted row by row. The samples of 2-d pooling start with the last
// dimension.
std::vector<Tensor> fractional_pool(Emit& e, const Tensor& self, const Axes& window, const Axes& count,
                                    const Tensor& samples) {
  const std::size_t axes = window.size();
  const bool single = self.shape().size() == axes + 1;
  if (!single && self.shape().size() != axes + 2)
    throw ProgramError("the input must have a batch dimension, channels, and the dimensions to pool");
  if (count.size() != axes) throw ProgramError("there must be one size for each dimension");
  const Tensor x = single ? Tensor(e.unsqueeze(self, {0})) : self;
  const Tensor chosen = e.cast(samples, x.dtype());
  Shape places{x.dim(0), x.dim(1)};
  Value* at = e.dim(0);
  Dim total(1);
  std::int64_t inside = 1, outside = 1;
  for (std::size_t i = 0; i < axes; ++i) {
    const Dim size = x.shape()[i + 2];
    const auto which = static_cast<std::int64_t>(axes == 2 ? 1 - i : i);
    Value* starts = window_starts(e, e.slice(chosen, 2, which, which + 1), size, window[i], count[i]);
    // [batch, channels, …count…, …window…]
    Shape of_starts{x.dim(0), x.dim(1)}, of_window(2 * axes, Dim(1));
    of_starts.insert(of_starts.end(), 2 * axes, Dim(1));
    of_starts[2 + i] = count[i];
    of_window[axes + i] = window[i];
    Value* within = e.reshape(indices(e, window[i]), of_window);
    at = e.op("Add", {e.op("Mul", {at, e.dim(size)}), e.op("Add", {e.reshape(starts, of_starts), within})});
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
  Value* positions = e.reshape(at, shaped({outside * inside}));
  Value* found =
      e.op("GatherElements", {e.reshape(x, shaped({total})), positions}, {{"axis", std::int64_t{2}}});
  Value* windows = e.reshape(found, shaped({outside, inside}));
  Value* best =
      e.op("ArgMax", {e.cast(windows, implemented("ArgMax", windows->dtype()))}, {{"axis", std::int64_t{3}}});
  Value* indices = e.op("GatherElements", {e.reshape(positions, shaped({outside, inside})), best},
                        {{"axis", std::int64_t{3}}});
  Shape out = single ? Shape{x.dim(1)} : outer;
  out.insert(out.end(), count.begin(), count.end());
  return {e.reshape(reduce(e, "ReduceMax", windows, {3}, false), out), e.reshape(indices, out)};
}

template <std::size_t kAxes>
std::vector<Tensor> fractional_max_pool(Emit& e, Tensor self, Axes kernel_size, Axes output_size,
                                        Tensor random_samples) {
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
    op<max_unpool2d>("aten::max_unpool2d(Tensor self, Tensor indices, int[2] output_size) -> Tensor",
                     {.doc = "Maxima at the places that pooling told, 0 elsewhere.",
                      .sample = "self=f32[batch,6,4,5], indices=i64[batch,6,4,5], output_size=[8, 10]"}),
    op<max_unpool3d>("aten::max_unpool3d(Tensor self, Tensor indices, int[3] output_size, int[3] stride, "
                     "int[3] padding) -> Tensor",
                     {.doc = "Maxima at the places that pooling told, 0 elsewhere.",
                      .sample = "self=f32[batch,6,4,5,3], indices=i64[batch,6,4,5,3], output_size=[8, 10, "
                                "6], stride=[2, 2, 2], padding=[0, 0, 0]"}),
};

}  // namespace

std::span<const Declaration> unpooling_ops() { return kUnpooling; }

}  // namespace cameo::aten
