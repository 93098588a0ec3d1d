#include "aten/image/pooling.h"

#include <fmt/core.h>

#include <algorithm>

#include "aten/support.h"

namespace cameo::aten {
namespace {

using Ints = std::vector<std::int64_t>;

bool takes_global_pooling(const Expr& x, std::int64_t axes) {
  return has_batch(x, axes) && (x->dtype() == DType::f32 || x->dtype() == DType::f16);
}

}  // namespace

Window window_of(Emit& e, const Expr& self, std::int64_t axes, const Shape& kernel_size, const Shape& stride,
                 const Ints& padding, const Ints& dilation, bool ceil) {
  check_pooled(self, axes);
  const Shape kernel = spread_dims(kernel_size, axes, "kernel_size");
  const Shape step = stride.empty() ? kernel : spread_dims(stride, axes, "stride");
  Window w{.kernel = {},
           .stride = {},
           .padding = spread(padding, axes, "padding"),
           .dilation = spread(dilation, axes, "dilation"),
           .ceil = ceil,
           .whole = {}};
  const Shape sizes = self.shape().last(axes);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Dim& size = sizes[i];
    if (kernel[i].is_constant() && step[i].is_constant()) {
      w.kernel.push_back(*kernel[i].as_constant());
      w.stride.push_back(*step[i].as_constant());
      if (w.kernel[i] < 1 || w.stride[i] < 1)
        throw ProgramError("the kernel size and the stride must be positive");
      if (w.padding[i] < 0 || w.padding[i] > w.kernel[i] / 2)
        throw ProgramError("the padding must be at most half of the kernel size");
    } else if (e.sym().equal(kernel[i], size) == sym::Truth::yes && w.padding[i] == 0 && w.dilation[i] == 1) {
      w.kernel.push_back(1);
      w.stride.push_back(1);
      w.whole.push_back(w.axes() - 1);
    } else {
      throw Unsupported(
          fmt::format("the window of {} over a size of {} must be known at export time, or cover the "
                      "whole size",
                      to_string(kernel[i]), to_string(size)));
    }
  }
  return w;
}

Tail tail_of(Emit& e, const Expr& x, const Window& w) {
  Tail tail;
  const Shape sizes = x->type.shape->last(w.axes());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Dim& size = sizes[i];
    const std::int64_t p = w.padding[i], s = w.stride[i], reach = w.reach(i);
    Dim end = p;
    if (w.ceil && s > 1) {
      const Dim count = sym::min(sym::ceildiv(size + 2 * p - reach, s) + 1, sym::ceildiv(size + p, s));
      end = e.simplify(sym::max(p, (count - 1) * s + reach - size - p));
    }
    const bool more = end != Dim(p);
    tail.known = tail.known && end.is_constant();
    tail.longer = tail.longer || more;
    // A window that begins in the padding cannot occur.
    tail.attribute = tail.attribute && (s == 1 || s + p <= reach);
    tail.end.push_back(end);
  }
  return tail;
}

bool takes_single_elements(const Window& w) {
  return w.whole.empty() && std::ranges::all_of(w.kernel, [](std::int64_t k) { return k == 1; });
}

Expr strided(Expr x, const Window& w) {
  for (std::int64_t i = 0; i < w.axes(); ++i) {
    const std::int64_t axis = x.rank() - w.axes() + i, step = element_at(w.stride, i);
    if (step > 1) x = slice(x, axis, 0, x.dim(axis), step);
  }
  return x;
}

onnx::Attributes pool_attributes(const Window& w, const Ints& end) {
  onnx::Attributes attributes{{"kernel_shape", w.kernel}};
  auto put = [&](const char* key, const Ints& list, std::int64_t usual) {
    if (std::ranges::any_of(list, [&](std::int64_t n) { return n != usual; }))
      attributes.push_back({key, list});
  };
  put("strides", w.stride, 1);
  Ints pads = w.padding;
  pads.insert(pads.end(), end.begin(), end.end());
  put("pads", pads, 0);
  put("dilations", w.dilation, 1);
  return attributes;
}

Expr padded(Emit& e, Expr x, const Window& w, const Shape& end, Expr with) {
  Shape pads = Shape::filled(x->rank() - w.axes(), 0), behind = pads;
  pads.insert(pads.end(), w.padding.begin(), w.padding.end());
  behind.insert(behind.end(), end.begin(), end.end());
  pads.insert(pads.end(), behind.begin(), behind.end());
  return e.op("Pad", {x, e.dims(pads), with});
}

Shape spread_dims(const Shape& list, std::int64_t count, std::string_view name) {
  if (list.rank() == count) return list;
  if (list.size() == 1) return Shape::filled(count, list[0]);
  throw ProgramError(fmt::format("'{}' needs 1 or {} numbers, but has {}", name, count, list.size()));
}

bool has_batch(const Expr& self, std::int64_t axes) { return self.rank() == axes + 2; }

void check_pooled(const Expr& self, std::int64_t axes) {
  if (self.rank() != axes + 1 && !has_batch(self, axes))
    throw ProgramError(
        fmt::format("pooling over {} dimensions of a tensor of {} dimensions", axes, self.rank()));
}

Expr global_max(Emit& e, Expr x, std::int64_t axes) {
  if (takes_global_pooling(x, axes)) return e.op("GlobalMaxPool", {x});
  return e.op("ReduceMax", {x, e.ints(last_axes(x, axes))});
}

Expr global_mean(Emit& e, Expr x, std::int64_t axes) {
  if (takes_global_pooling(x, axes)) return e.op("GlobalAveragePool", {x});
  return e.op("ReduceMean", {x, e.ints(last_axes(x, axes))});
}

Expr global_argmax(Emit& e, Expr x, std::int64_t axes) {
  const std::int64_t outer = x->rank() - axes;
  Shape flat = x->type.shape->first(outer), result = flat;
  result.insert(result.end(), as_size(axes), 1);
  flat.push_back(x->type.shape->last(axes).product());
  return reshape(e.op("ArgMax", {reshape(x, flat)}, {{"axis", outer}}), result);
}

}  // namespace cameo::aten
