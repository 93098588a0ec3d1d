// Maxima and means over windows.
#include "aten/pooling.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Ints = std::vector<std::int64_t>;

struct Window {
  Ints kernel, stride, padding, dilation;
  bool ceil = false;
  Ints whole;  // axes that one window covers, whatever their size: counted among the pooled ones

  std::size_t axes() const { return kernel.size(); }
  std::int64_t reach(std::size_t i) const { return dilation[i] * (kernel[i] - 1) + 1; }
};

Shape spread_dims(const Shape& list, std::size_t count, std::string_view name) {
  if (list.size() == count) return list;
  if (list.size() == 1) return Shape(count, list[0]);
  throw ProgramError(fmt::format("'{}' needs 1 or {} numbers, but has {}", name, count, list.size()));
}

// Kernel and stride may be formulas where the kernel is the whole size of its axis.
Window window_of(Emit& e, const Tensor& self, std::size_t axes, const Shape& kernel_size, const Shape& stride,
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
      if (w.kernel[i] < 1 || w.stride[i] < 1) throw ProgramError("pooling needs a kernel and stride above 0");
      if (w.padding[i] < 0 || w.padding[i] > w.kernel[i] / 2)
        throw ProgramError("pooling: the padding should be at most half of the kernel size");
    } else if (e.sym().equal(kernel[i], size) == sym::Truth::yes && w.padding[i] == 0 && w.dilation[i] == 1) {
      w.kernel.push_back(1);
      w.stride.push_back(1);
      w.whole.push_back(static_cast<std::int64_t>(i));
    } else {
      throw Unsupported(
          fmt::format("a pooling window of {} over a size of {}: the window must be known when "
                      "exporting, or cover the whole size",
                      to_string(kernel[i]), to_string(size)));
    }
  }
  return w;
}

// How rounding up is said: windows may reach past the padding, but must begin before it.
struct Tail {
  Shape end;  // padding behind each axis that gives exactly PyTorch's windows
  bool known = true;
  bool longer = false;    // than the padding asked for, at some axis or perhaps
  bool attribute = true;  // ceil_mode says the same
};

Tail tail_of(Emit& e, const onnx::Value* x, const Window& w) {
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

onnx::Value* padded(Emit& e, onnx::Value* x, const Window& w, const Shape& end, onnx::Value* with) {
  const std::size_t rank = x->type.shape->size();
  Shape pads(2 * rank, 0);
  for (std::size_t i = 0; i < w.axes(); ++i) {
    pads[rank - w.axes() + i] = w.padding[i];
    pads[2 * rank - w.axes() + i] = end[i];
  }
  return e.op("Pad", {x, e.dims(pads), with});
}

onnx::Value* lowest(Emit& e, DType dtype) {
  if (is_floating(dtype)) return e.scalar(dtype, -std::numeric_limits<double>::infinity());
  return e.scalar(dtype, dtype == DType::i8 ? std::int64_t{-128} : std::int64_t{0});
}

Dim volume(const onnx::Value* x, std::size_t axes) {
  Dim product = 1;
  for (std::size_t i = x->type.shape->size() - axes; i < x->type.shape->size(); ++i)
    product = product * (*x->type.shape)[i];
  return product;
}

// ONNX counts places through the whole tensor, PyTorch through the pooled dimensions.
onnx::Value* place_in_plane(Emit& e, onnx::Value* places, const onnx::Value* x, std::size_t axes) {
  return e.op("Mod", {places, e.dim(volume(x, axes))});
}

// Places in the padded plane, as places in the plane itself.
onnx::Value* without_padding(Emit& e, onnx::Value* places, const onnx::Value* x, const onnx::Value* padded_x,
                             const Window& w) {
  onnx::Value* result = nullptr;
  for (std::size_t i = w.axes(); i-- > 0;) {
    const std::size_t axis = x->type.shape->size() - w.axes() + i, inner = w.axes() - i - 1;
    onnx::Value* at = e.op("Div", {places, e.dim(volume(padded_x, inner))});
    at = e.op("Mod", {at, e.dim((*padded_x->type.shape)[axis])});
    if (w.padding[i] != 0) at = e.op("Sub", {at, e.dim(w.padding[i])});
    if (inner > 0) at = e.op("Mul", {at, e.dim(volume(x, inner))});
    result = result ? e.op("Add", {result, at}) : at;
  }
  return result;
}

// A dtype that MaxPool takes and that holds every number of this one.
DType poolable(DType dtype) {
  switch (dtype) {
    case DType::i16:
    case DType::i32: return DType::f64;
    case DType::f16:
    case DType::f32:
    case DType::f64:
    case DType::i8:
    case DType::u8: return dtype;
    default: throw Unsupported(fmt::format("a maximum over windows of {} has no ONNX form", name(dtype)));
  }
}

std::vector<onnx::Value*> max_windows(Emit& e, onnx::Value* x, const Window& w, bool places) {
  const Tail tail = tail_of(e, x, w);
  const bool by_pads =
      tail.known && std::ranges::equal(tail.end, w.kernel,
                                       [](const Dim& end, std::int64_t k) { return *end.as_constant() < k; });
  auto pool = [&](onnx::Value* from, onnx::Attributes attributes) {
    return e.ops("MaxPool", {from}, std::move(attributes), places ? 2 : 1);
  };
  std::vector<onnx::Value*> out;
  if (tail.longer && tail.attribute) {
    onnx::Attributes attributes = pool_attributes(w, w.padding);
    attributes.push_back({"ceil_mode", std::int64_t{1}});
    out = pool(x, std::move(attributes));
  } else if (by_pads) {
    out = pool(x, pool_attributes(w, known_sizes(tail.end, "padding")));
  } else {
    onnx::Value* wide = padded(e, x, w, tail.end, lowest(e, x->dtype()));
    Window rest = w;
    rest.padding.assign(w.axes(), 0);
    out = pool(wide, pool_attributes(rest, rest.padding));
    if (places) out[1] = without_padding(e, out[1], x, wide, w);
    return out;
  }
  if (places) out[1] = place_in_plane(e, out[1], x, w.axes());
  return out;
}

std::vector<Tensor> max_pool(Emit& e, const Tensor& self, const Window& w, bool places) {
  if (w.whole.size() == w.axes()) {
    std::vector<Tensor> out{global_max(e, self, w.axes())};
    if (places) out.push_back(global_argmax(e, self, w.axes()));
    return out;
  }
  onnx::Value* x = e.cast(self, poolable(self.dtype()));
  if (!w.whole.empty()) {
    if (places) throw Unsupported("the places of maxima where one window covers some dimensions only");
    Ints axes;
    for (std::int64_t i : w.whole) axes.push_back(i - static_cast<std::int64_t>(w.axes()) + self.rank());
    x = e.op("ReduceMax", {x, e.ints(axes)});
  }
  const bool batched = self.rank() == static_cast<std::int64_t>(w.axes()) + 2;
  if (!batched) x = e.unsqueeze(x, {0});
  std::vector<Tensor> out;
  for (onnx::Value* value : max_windows(e, x, w, places)) {
    value = batched ? value : e.squeeze(value, {0});
    out.push_back(out.empty() ? e.cast(value, self.dtype()) : value);
  }
  return out;
}

template <std::size_t kAxes>
Tensor max_pool_values(Emit& e, Tensor self, Shape kernel_size, Shape stride, Ints padding, Ints dilation,
                       bool ceil_mode) {
  return max_pool(e, self, window_of(e, self, kAxes, kernel_size, stride, padding, dilation, ceil_mode),
                  false)[0];
}
template <std::size_t kAxes>
std::vector<Tensor> max_pool_places(Emit& e, Tensor self, Shape kernel_size, Shape stride, Ints padding,
                                    Ints dilation, bool ceil_mode) {
  return max_pool(e, self, window_of(e, self, kAxes, kernel_size, stride, padding, dilation, ceil_mode),
                  true);
}

std::int64_t elements_of(const Window& w) {
  std::int64_t count = 1;
  for (std::int64_t k : w.kernel) count *= k;
  return count;
}

onnx::Value* average(Emit& e, onnx::Value* x, const Window& w, const Ints& end, bool count_padding) {
  onnx::Attributes attributes = pool_attributes(w, end);
  const bool pads = std::ranges::any_of(end, [](std::int64_t n) { return n != 0; }) ||
                    std::ranges::any_of(w.padding, [](std::int64_t n) { return n != 0; });
  if (pads && count_padding) attributes.push_back({"count_include_pad", std::int64_t{1}});
  return e.op("AveragePool", {x}, std::move(attributes));
}

// Each window's sum divided by the size of the kernel, for any tail.
onnx::Value* average_of_all(Emit& e, onnx::Value* x, const Window& w, const Tail& tail) {
  if (tail.known) return average(e, x, w, known_sizes(tail.end, "padding"), true);
  Window rest = w;
  rest.padding.assign(w.axes(), 0);
  return average(e, padded(e, x, w, tail.end, nullptr), rest, rest.padding, false);
}

// The part of each window that counts.
onnx::Value* covered_part(Emit& e, const onnx::Value* x, const Window& w, const Tail& tail,
                          bool count_padding) {
  const Shape& shape = *x->type.shape;
  const auto axes = static_cast<std::ptrdiff_t>(w.axes());
  Shape plane(shape.size(), 1);
  std::copy(shape.end() - axes, shape.end(), plane.end() - axes);
  onnx::Value* one = e.scalar(x->dtype(), 1.0);
  onnx::Value* counted = e.expand(one, plane);
  if (!count_padding) return average_of_all(e, counted, w, tail);
  counted = padded(e, counted, w, Shape(w.padding.begin(), w.padding.end()), one);
  Window rest = w;
  rest.padding.assign(w.axes(), 0);
  Shape beyond;
  for (std::size_t i = 0; i < w.axes(); ++i) beyond.push_back(tail.end[i] - w.padding[i]);
  return average(e, padded(e, counted, rest, beyond, nullptr), rest, rest.padding, false);
}

onnx::Value* average_windows(Emit& e, onnx::Value* x, const Window& w, bool count_padding,
                             std::optional<std::int64_t> divisor) {
  const Tail tail = tail_of(e, x, w);
  if (divisor) {
    const double factor = static_cast<double>(elements_of(w)) / static_cast<double>(*divisor);
    onnx::Value* mean = average_of_all(e, x, w, tail);
    return factor == 1 ? mean : e.op("Mul", {mean, e.scalar(x->dtype(), factor)});
  }
  if (!tail.longer) return average(e, x, w, w.padding, count_padding);
  if (std::ranges::all_of(w.padding, [](std::int64_t n) { return n == 0; })) count_padding = false;
  if (!count_padding && tail.attribute) {
    onnx::Attributes attributes = pool_attributes(w, w.padding);
    attributes.push_back({"ceil_mode", std::int64_t{1}});
    return e.op("AveragePool", {x}, std::move(attributes));
  }
  if (!count_padding && tail.known) return average(e, x, w, known_sizes(tail.end, "padding"), false);
  return e.op("Div", {average_of_all(e, x, w, tail), covered_part(e, x, w, tail, count_padding)});
}

// The sum of each window, from shifted copies axis by axis.
onnx::Value* window_sums(Emit& e, onnx::Value* x, const Window& w, const Shape& end) {
  x = padded(e, x, w, end, nullptr);
  for (std::size_t i = 0; i < w.axes(); ++i) {
    const std::size_t axis = x->type.shape->size() - w.axes() + i;
    const std::int64_t k = w.kernel[i], s = w.stride[i];
    const Dim steps = e.simplify(sym::floordiv((*x->type.shape)[axis] - k, s));
    onnx::Value* sum = nullptr;
    for (std::int64_t j = 0; j < k; ++j) {
      onnx::Value* copy = e.slice(x, static_cast<std::int64_t>(axis), j, steps * s + j + 1, s);
      sum = sum ? e.op("Add", {sum, copy}) : copy;
    }
    x = sum;
  }
  return x;
}

// How many elements of each window count.
onnx::Value* window_counts(Emit& e, const onnx::Value* x, const Window& w, const Tail& tail,
                           bool count_padding) {
  const auto axes = static_cast<std::ptrdiff_t>(w.axes());
  Shape plane(x->type.shape->size(), 1);
  std::copy(x->type.shape->end() - axes, x->type.shape->end(), plane.end() - axes);
  onnx::Value* one = e.scalar(x->dtype(), std::int64_t{1});
  onnx::Value* counted = e.expand(one, plane);
  if (!count_padding) return window_sums(e, counted, w, tail.end);
  counted = padded(e, counted, w, Shape(w.padding.begin(), w.padding.end()), one);
  Window rest = w;
  rest.padding.assign(w.axes(), 0);
  Shape beyond;
  for (std::size_t i = 0; i < w.axes(); ++i) beyond.push_back(tail.end[i] - w.padding[i]);
  return window_sums(e, counted, rest, beyond);
}

// For dtypes that runtimes have no AveragePool for. Integers are rounded towards zero.
onnx::Value* divided_sums(Emit& e, onnx::Value* x, const Window& w, bool count_padding,
                          std::optional<std::int64_t> divisor) {
  const Tail tail = tail_of(e, x, w);
  if (std::ranges::all_of(w.padding, [](std::int64_t n) { return n == 0; })) count_padding = true;
  if (!divisor && !tail.longer && count_padding) divisor = elements_of(w);
  onnx::Value* by = divisor ? e.scalar(x->dtype(), *divisor) : window_counts(e, x, w, tail, count_padding);
  return e.op("Div", {window_sums(e, x, w, tail.end), by});
}

Tensor avg_pool(Emit& e, const Tensor& self, const Window& w, bool count_padding,
                std::optional<std::int64_t> divisor) {
  const bool whole_numbers = self.dtype() == DType::i32 || self.dtype() == DType::i64;
  if (!is_floating(self.dtype()) && (!whole_numbers || !w.whole.empty()))
    throw Unsupported(fmt::format("a mean over windows of {} has no ONNX form", name(self.dtype())));
  if (divisor && *divisor == 0) throw ProgramError("divisor must be not zero");
  if (!w.whole.empty() && divisor) throw Unsupported("a divisor for a window of a size that a run tells");
  if (w.whole.size() == w.axes()) return global_mean(e, self, w.axes());
  onnx::Value* x = self;
  if (!w.whole.empty()) {
    Ints axes;
    for (std::int64_t i : w.whole) axes.push_back(i - static_cast<std::int64_t>(w.axes()) + self.rank());
    x = e.op("ReduceMean", {x, e.ints(axes)});
  }
  const bool batched = self.rank() == static_cast<std::int64_t>(w.axes()) + 2;
  if (!batched) x = e.unsqueeze(x, {0});
  x = whole_numbers || self.dtype() == DType::f64 ? divided_sums(e, x, w, count_padding, divisor)
                                                  : average_windows(e, x, w, count_padding, divisor);
  return batched ? x : e.squeeze(x, {0});
}

Tensor avg_pool1d(Emit& e, Tensor self, Shape kernel_size, Shape stride, Ints padding, bool ceil_mode,
                  bool count_include_pad) {
  return avg_pool(e, self, window_of(e, self, 1, kernel_size, stride, padding, {1}, ceil_mode),
                  count_include_pad, std::nullopt);
}
template <std::size_t kAxes>
Tensor avg_pool_nd(Emit& e, Tensor self, Shape kernel_size, Shape stride, Ints padding, bool ceil_mode,
                   bool count_include_pad, std::optional<std::int64_t> divisor_override) {
  return avg_pool(e, self, window_of(e, self, kAxes, kernel_size, stride, padding, {1}, ceil_mode),
                  count_include_pad, divisor_override);
}

template <std::size_t kAxes>
Tensor adaptive_avg(Emit& e, Tensor self, Shape output_size) {
  return adaptive_avg_pool(e, self, kAxes, spread_dims(output_size, kAxes, "output_size"));
}
template <std::size_t kAxes>
std::vector<Tensor> adaptive_max(Emit& e, Tensor self, Shape output_size) {
  return adaptive_max_pool(e, self, kAxes, spread_dims(output_size, kAxes, "output_size"));
}

constexpr Op kPooling[] = {
    op<max_pool_values<1>>("aten::max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] "
                           "padding=0, int[1] dilation=1, bool ceil_mode=False) -> Tensor",
                           {.doc = "Maxima over windows of one dimension."}),
    op<max_pool_values<2>>("aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
                           "padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor",
                           {.doc = "Maxima over windows of two dimensions."}),
    op<max_pool_values<3>>("aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] "
                           "padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor",
                           {.doc = "Maxima over windows of three dimensions."}),
    op<max_pool_places<1>>(
        "aten::max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, "
        "int[1] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
        {.doc = "Maxima over windows of one dimension, and where they are."}),
    op<max_pool_places<2>>(
        "aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, "
        "int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
        {.doc = "Maxima over windows of two dimensions, and where they are."}),
    op<max_pool_places<3>>(
        "aten::max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, "
        "int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
        {.doc = "Maxima over windows of three dimensions, and where they are."}),
    op<avg_pool1d>("aten::avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, "
                   "bool ceil_mode=False, bool count_include_pad=True) -> Tensor",
                   {.doc = "Means over windows of one dimension."}),
    op<avg_pool_nd<2>>("aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
                       "padding=0, bool ceil_mode=False, bool count_include_pad=True, int? "
                       "divisor_override=None) -> Tensor",
                       {.doc = "Means over windows of two dimensions."}),
    op<avg_pool_nd<3>>("aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] "
                       "padding=0, bool ceil_mode=False, bool count_include_pad=True, int? "
                       "divisor_override=None) -> Tensor",
                       {.doc = "Means over windows of three dimensions."}),
    op<adaptive_avg<1>>("aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor",
                        {.doc = "Means over so many windows of one dimension."}),
    op<adaptive_avg<2>>("aten::adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor",
                        {.doc = "Means over so many windows of two dimensions."}),
    op<adaptive_avg<2>>("aten::_adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor",
                        {.doc = "Means over so many windows of two dimensions."}),
    op<adaptive_avg<3>>("aten::adaptive_avg_pool3d(Tensor self, int[3] output_size) -> Tensor",
                        {.doc = "Means over so many windows of three dimensions."}),
    op<adaptive_avg<3>>("aten::_adaptive_avg_pool3d(Tensor self, int[3] output_size) -> Tensor",
                        {.doc = "Means over so many windows of three dimensions."}),
    op<adaptive_max<1>>("aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)",
                        {.doc = "Maxima over so many windows of one dimension, and where they are."}),
    op<adaptive_max<2>>("aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)",
                        {.doc = "Maxima over so many windows of two dimensions, and where they are."}),
    op<adaptive_max<3>>("aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)",
                        {.doc = "Maxima over so many windows of three dimensions, and where they are."}),
};

}  // namespace

std::span<const Op> pooling_ops() { return kPooling; }

}  // namespace cameo::aten
