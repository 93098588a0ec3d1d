#include "aten/image/pooling.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "aten/support.h"

namespace cameo::aten {
namespace {

using Ints = std::vector<std::int64_t>;

bool takes_global_pooling(const Expr& x, std::size_t axes) {
  return x->rank() == static_cast<std::int64_t>(axes) + 2 &&
         (x->dtype() == DType::f32 || x->dtype() == DType::f16);
}

}  // namespace

Window window_of(Emit& e, const Expr& self, std::size_t axes, const Shape& kernel_size, const Shape& stride,
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
  for (std::size_t i = 0; i < axes; ++i) {
    const Dim size = self.dim(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(axes));
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
      w.whole.push_back(static_cast<std::int64_t>(i));
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
  for (std::size_t i = 0; i < w.axes(); ++i) {
    const Dim size = (*x->type.shape)[x->type.shape->size() - w.axes() + i];
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
  const std::size_t rank = x->type.shape->size();
  Shape pads(2 * rank, 0);
  for (std::size_t i = 0; i < w.axes(); ++i) {
    pads[rank - w.axes() + i] = w.padding[i];
    pads[2 * rank - w.axes() + i] = end[i];
  }
  return e.op("Pad", {x, e.dims(pads), with});
}

Shape spread_dims(const Shape& list, std::size_t count, std::string_view name) {
  if (list.size() == count) return list;
  if (list.size() == 1) return Shape(count, list[0]);
  throw ProgramError(fmt::format("'{}' needs 1 or {} numbers, but has {}", name, count, list.size()));
}

std::vector<std::int64_t> last_axes(const Expr& x, std::size_t count) {
  Ints axes(count);
  std::iota(axes.begin(), axes.end(), x->rank() - static_cast<std::int64_t>(count));
  return axes;
}

void check_pooled(const Expr& self, std::size_t axes) {
  const auto least = static_cast<std::int64_t>(axes) + 1;
  if (self.rank() != least && self.rank() != least + 1)
    throw ProgramError(
        fmt::format("pooling over {} dimensions of a tensor of {} dimensions", axes, self.rank()));
}

Expr global_max(Emit& e, Expr x, std::size_t axes) {
  if (takes_global_pooling(x, axes)) return e.op("GlobalMaxPool", {x});
  return e.op("ReduceMax", {x, e.ints(last_axes(x, axes))});
}

Expr global_mean(Emit& e, Expr x, std::size_t axes) {
  if (takes_global_pooling(x, axes)) return e.op("GlobalAveragePool", {x});
  return e.op("ReduceMean", {x, e.ints(last_axes(x, axes))});
}

Expr global_argmax(Emit& e, Expr x, std::size_t axes) {
  const std::size_t outer = x->type.shape->size() - axes;
  Shape flat(x->type.shape->begin(), x->type.shape->begin() + static_cast<std::ptrdiff_t>(outer));
  Shape result = flat;
  result.insert(result.end(), axes, 1);
  Dim count = 1;
  for (std::size_t i = outer; i < outer + axes; ++i) count = count * (*x->type.shape)[i];
  flat.push_back(count);
  return reshape(e.op("ArgMax", {reshape(x, flat)}, {{"axis", static_cast<std::int64_t>(outer)}}), result);
}

}  // namespace cameo::aten
