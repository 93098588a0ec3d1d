// Maxima over windows.
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "aten/families.h"
#include "aten/image/pooling.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Ints = std::vector<std::int64_t>;

Expr lowest(Emit& e, DType dtype) {
  if (is_floating(dtype)) return e.scalar(dtype, -std::numeric_limits<double>::infinity());
  return e.scalar(dtype, dtype == DType::i8 ? std::int64_t{-128} : std::int64_t{0});
}

Dim volume(const Expr& x, std::int64_t axes) { return x->type.shape->last(axes).product(); }

// ONNX counts places through the whole tensor, PyTorch through the pooled dimensions.
Expr place_in_plane(Expr places, const Expr& x, std::int64_t axes) { return places % volume(x, axes); }

// Places in the padded plane, as places in the plane itself.
Expr without_padding(Expr places, const Expr& x, const Expr& padded_x, const Window& w) {
  Expr result = nullptr;
  for (std::int64_t inner = 0; inner < w.axes(); ++inner) {
    Expr at = places / volume(padded_x, inner);
    at = at % (*padded_x->type.shape)[-1 - inner];
    if (const std::int64_t front = element_at(w.padding, -1 - inner); front != 0) at = at - front;
    if (inner > 0) at = at * volume(x, inner);
    result = result.value ? result + at : at;
  }
  return result;
}

// A dtype that MaxPool takes and that holds every number of this one.
DType poolable(DType dtype) {
  switch (dtype) {
    case DType::i16:
    case DType::i32: return DType::f64;
    case DType::bf16: return DType::f32;
    case DType::f16:
    case DType::f32:
    case DType::f64:
    case DType::i8:
    case DType::u8: return dtype;
    default: throw Unsupported(fmt::format("max pooling of {} is not supported", name(dtype)));
  }
}

std::vector<Expr> max_windows(Emit& e, Expr x, const Window& w, bool places) {
  const Tail tail = tail_of(e, x, w);
  const bool by_pads =
      tail.known && std::ranges::equal(tail.end, w.kernel,
                                       [](const Dim& end, std::int64_t k) { return *end.as_constant() < k; });
  auto pool = [&](Expr from, onnx::Attributes attributes) {
    return ops(e, "MaxPool", {from}, std::move(attributes), places ? 2 : 1);
  };
  std::vector<Expr> out;
  if (tail.longer && tail.attribute) {
    onnx::Attributes attributes = pool_attributes(w, w.padding);
    attributes.push_back({"ceil_mode", std::int64_t{1}});
    out = pool(x, std::move(attributes));
  } else if (by_pads) {
    out = pool(x, pool_attributes(w, known_sizes(tail.end, "padding")));
  } else {
    const Expr wide = padded(e, x, w, tail.end, lowest(e, x->dtype()));
    Window rest = w;
    rest.padding.assign(w.padding.size(), 0);
    out = pool(wide, pool_attributes(rest, rest.padding));
    if (places) out[1] = without_padding(out[1], x, wide, w);
    return out;
  }
  if (places) out[1] = place_in_plane(out[1], x, w.axes());
  return out;
}

// ONNX Runtime 1.30 makes a Pad a part of the MaxPool that reads it, although MaxPool pads with the lowest number. A node
// between them prevents this.
bool is_padded(const Expr& x) {
  return x->producer && x->producer->op == "Pad" && x->producer->domain.empty() && is_floating(x.dtype());
}

std::vector<Expr> max_pool(Emit& e, const Expr& self, const Window& w, bool places) {
  if (w.whole.size() == w.kernel.size()) {
    std::vector<Expr> out{global_max(e, self, w.axes())};
    if (places) out.push_back(global_argmax(e, self, w.axes()));
    return out;
  }
  if (takes_single_elements(w) && !places) return {strided(self, w)};
  Expr x = cast(self, poolable(self.dtype()));
  if (!w.whole.empty()) {
    if (places)
      throw Unsupported(
          "the indices of the maxima are not supported where a window covers only some dimensions");
    Ints axes;
    for (std::int64_t i : w.whole) axes.push_back(i - w.axes() + self.rank());
    x = e.op("ReduceMax", {x, e.ints(axes)});
  }
  const bool batched = has_batch(self, w.axes());
  if (!batched) x = unsqueeze(x, {0});
  if (is_padded(x)) x = maximum(x, lowest(e, x->dtype()));
  std::vector<Expr> out;
  for (Expr value : max_windows(e, x, w, places)) {
    value = batched ? value : squeeze(value, {0});
    out.push_back(out.empty() ? cast(value, self.dtype()) : value);
  }
  return out;
}

template <std::int64_t kAxes>
Expr max_pool_values(Emit& e, Expr self, Shape kernel_size, Shape stride, Ints padding, Ints dilation,
                     bool ceil_mode) {
  return max_pool(e, self, window_of(e, self, kAxes, kernel_size, stride, padding, dilation, ceil_mode),
                  false)[0];
}
template <std::int64_t kAxes>
std::vector<Expr> max_pool_places(Emit& e, Expr self, Shape kernel_size, Shape stride, Ints padding,
                                  Ints dilation, bool ceil_mode) {
  return max_pool(e, self, window_of(e, self, kAxes, kernel_size, stride, padding, dilation, ceil_mode),
                  true);
}

constexpr Declaration kMaxPooling[] = {
    op<max_pool_values<1>>("aten::max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] "
                           "padding=0, int[1] dilation=1, bool ceil_mode=False) -> Tensor",
                           {.doc = "Maxima over windows of one dimension.",
                            .quantized = OnQuantized::integers,
                            .sizes = SizeList::window}),
    op<max_pool_values<2>>("aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
                           "padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor",
                           {.doc = "Maxima over windows of two dimensions.",
                            .quantized = OnQuantized::integers,
                            .sizes = SizeList::window}),
    op<max_pool_values<3>>("aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] "
                           "padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor",
                           {.doc = "Maxima over windows of three dimensions.",
                            .quantized = OnQuantized::integers,
                            .sample = "self=f32[batch,6,depth,height,width]",
                            .sizes = SizeList::window}),
    op<max_pool_places<1>>(
        "aten::max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, "
        "int[1] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
        {.doc = "Maxima over windows of one dimension, and where they are.", .result = Result::with_indices}),
    op<max_pool_places<2>>("aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], "
                           "int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
                           {.doc = "Maxima over windows of two dimensions, and where they are.",
                            .result = Result::with_indices}),
    op<max_pool_places<3>>("aten::max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], "
                           "int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
                           {.doc = "Maxima over windows of three dimensions, and where they are.",
                            .sample = "self=f32[batch,6,depth,height,width]",
                            .result = Result::with_indices}),
};

}  // namespace

std::span<const Declaration> max_pooling_ops() { return kMaxPooling; }

}  // namespace cameo::aten
