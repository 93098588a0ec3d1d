// Means over windows.
#include <fmt/core.h>

#include <algorithm>

#include "aten/families.h"
#include "aten/image/pooling.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Ints = std::vector<std::int64_t>;

std::int64_t elements_of(const Window& w) {
  std::int64_t count = 1;
  for (std::int64_t k : w.kernel) count *= k;
  return count;
}

Expr average(Emit& e, Expr x, const Window& w, const Ints& end, bool count_padding) {
  onnx::Attributes attributes = pool_attributes(w, end);
  const bool pads = std::ranges::any_of(end, [](std::int64_t n) { return n != 0; }) ||
                    std::ranges::any_of(w.padding, [](std::int64_t n) { return n != 0; });
  if (pads && count_padding) attributes.push_back({"count_include_pad", std::int64_t{1}});
  return e.op("AveragePool", {x}, std::move(attributes));
}

// Each window's sum divided by the size of the kernel, for any tail.
Expr average_of_all(Emit& e, Expr x, const Window& w, const Tail& tail) {
  if (tail.known) return average(e, x, w, known_sizes(tail.end, "padding"), true);
  Window rest = w;
  rest.padding.assign(w.padding.size(), 0);
  return average(e, padded(e, x, w, tail.end, nullptr), rest, rest.padding, false);
}

// 1 for each element that counts, 0 in the padding that does not. `window` and `tail` are those of a pooling
// over it.
struct Counted {
  Expr ones;
  Window window;
  Tail tail;
};

Counted counted_elements(Emit& e, const Expr& x, const Window& w, const Tail& tail, bool count_padding) {
  Shape plane = x->type.shape->last(w.axes());
  plane.insert(plane.begin(), as_size(x->rank() - w.axes()), 1);
  const Expr one = e.scalar(x->dtype(), std::int64_t{1});
  Counted counted{expand(one, plane), w, tail};
  if (!count_padding) return counted;
  counted.ones = padded(e, counted.ones, w, Shape(w.padding.begin(), w.padding.end()), one);
  counted.window.padding.assign(w.padding.size(), 0);
  for (std::size_t i = 0; i < w.padding.size(); ++i) counted.tail.end[i] = tail.end[i] - w.padding[i];
  return counted;
}

// The part of each window that counts.
Expr covered_part(Emit& e, const Expr& x, const Window& w, const Tail& tail, bool count_padding) {
  const Counted counted = counted_elements(e, x, w, tail, count_padding);
  return average_of_all(e, counted.ones, counted.window, counted.tail);
}

Expr average_windows(Emit& e, Expr x, const Window& w, bool count_padding,
                     std::optional<std::int64_t> divisor) {
  const Tail tail = tail_of(e, x, w);
  if (divisor) {
    const double factor = static_cast<double>(elements_of(w)) / static_cast<double>(*divisor);
    const Expr mean = average_of_all(e, x, w, tail);
    return factor == 1 ? mean : mean * factor;
  }
  if (!tail.longer) return average(e, x, w, w.padding, count_padding);
  if (std::ranges::all_of(w.padding, [](std::int64_t n) { return n == 0; })) count_padding = false;
  if (!count_padding && tail.attribute) {
    onnx::Attributes attributes = pool_attributes(w, w.padding);
    attributes.push_back({"ceil_mode", std::int64_t{1}});
    return e.op("AveragePool", {x}, std::move(attributes));
  }
  if (!count_padding && tail.known) return average(e, x, w, known_sizes(tail.end, "padding"), false);
  return average_of_all(e, x, w, tail) / covered_part(e, x, w, tail, count_padding);
}

// The sum of each window, from shifted copies axis by axis.
Expr window_sums(Emit& e, Expr x, const Window& w, const Shape& end) {
  x = padded(e, x, w, end, nullptr);
  std::int64_t axis = x->rank() - w.axes();
  for (std::size_t i = 0; i < w.kernel.size(); ++i, ++axis) {
    const std::int64_t k = w.kernel[i], s = w.stride[i];
    const Dim steps = e.simplify(sym::floordiv((*x->type.shape)[axis] - k, s));
    Expr sum = nullptr;
    for (std::int64_t j = 0; j < k; ++j) {
      const Expr copy = slice(x, axis, j, steps * s + j + 1, s);
      sum = sum.value ? sum + copy : copy;
    }
    x = sum;
  }
  return x;
}

// The number of elements of each window that count.
Expr window_counts(Emit& e, const Expr& x, const Window& w, const Tail& tail, bool count_padding) {
  const Counted counted = counted_elements(e, x, w, tail, count_padding);
  return window_sums(e, counted.ones, counted.window, counted.tail.end);
}

// For tensors that runtimes have no AveragePool for. Integers are rounded towards zero.
Expr divided_sums(Emit& e, Expr x, const Window& w, bool count_padding, std::optional<std::int64_t> divisor) {
  const Tail tail = tail_of(e, x, w);
  if (std::ranges::all_of(w.padding, [](std::int64_t n) { return n == 0; })) count_padding = true;
  if (!divisor && !tail.longer && count_padding) divisor = elements_of(w);
  const Expr by = divisor ? e.scalar(x->dtype(), *divisor) : window_counts(e, x, w, tail, count_padding);
  return window_sums(e, x, w, tail.end) / by;
}

// Whether the tensor was padded by as much as the window. ONNX Runtime makes such padding a part of AveragePool,
// which it then rejects.
bool is_padded_by_kernel(const Expr& x, const Window& w) {
  const onnx::Node* pad = x->producer;
  if (!pad || pad->op != "Pad" || !pad->domain.empty()) return false;
  const auto* listed = pad->attribute_if<Ints>("pads");
  Ints pads = listed ? *listed : Ints();
  if (!listed && pad->inputs.size() > 1 && pad->inputs[1]->constant())
    for (std::int64_t i = 0; i < pad->inputs[1]->data->numel(); ++i)
      pads.push_back(pad->inputs[1]->data->integer(i));
  const std::int64_t rank = x.rank();
  if (std::ssize(pads) != 2 * rank) return false;
  for (std::int64_t i = 0; i < w.axes(); ++i)
    for (const std::int64_t at : {rank - w.axes() + i, 2 * rank - w.axes() + i})
      if (element_at(pads, at) >= element_at(w.kernel, i)) return true;
  return false;
}

Expr avg_pool(Emit& e, const Expr& self, const Window& w, bool count_padding,
              std::optional<std::int64_t> divisor) {
  const bool whole_numbers = self.dtype() == DType::i32 || self.dtype() == DType::i64;
  if (!is_floating(self.dtype()) && (!whole_numbers || !w.whole.empty()))
    throw Unsupported(fmt::format("mean pooling of {} is not supported", name(self.dtype())));
  if (divisor && *divisor == 0) throw ProgramError("the divisor must not be 0");
  if (!w.whole.empty() && divisor)
    throw Unsupported("a divisor is not supported where the window's size is a runtime value");
  if (w.whole.size() == w.kernel.size()) return global_mean(e, self, w.axes());
  if (takes_single_elements(w)) {
    const Expr chosen = strided(self, w);
    return divisor.value_or(1) == 1 ? chosen : chosen / *divisor;
  }
  Expr x = self;
  if (!w.whole.empty()) {
    Ints axes;
    for (std::int64_t i : w.whole) axes.push_back(i - w.axes() + self.rank());
    x = e.op("ReduceMean", {x, e.ints(axes)});
  }
  const bool batched = has_batch(self, w.axes());
  if (!batched) x = unsqueeze(x, {0});
  const bool by_sums = whole_numbers || self.dtype() == DType::f64 || is_padded_by_kernel(x, w);
  x = by_sums ? divided_sums(e, x, w, count_padding, divisor)
              : average_windows(e, x, w, count_padding, divisor);
  return batched ? x : squeeze(x, {0});
}

Expr avg_pool1d(Emit& e, Expr self, Shape kernel_size, Shape stride, Ints padding, bool ceil_mode,
                bool count_include_pad) {
  return avg_pool(e, self, window_of(e, self, 1, kernel_size, stride, padding, {1}, ceil_mode),
                  count_include_pad, std::nullopt);
}
template <std::int64_t kAxes>
Expr avg_pool_nd(Emit& e, Expr self, Shape kernel_size, Shape stride, Ints padding, bool ceil_mode,
                 bool count_include_pad, std::optional<std::int64_t> divisor_override) {
  return avg_pool(e, self, window_of(e, self, kAxes, kernel_size, stride, padding, {1}, ceil_mode),
                  count_include_pad, divisor_override);
}

constexpr Declaration kAveragePooling[] = {
    op<avg_pool1d>("aten::avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, "
                   "bool ceil_mode=False, bool count_include_pad=True) -> Tensor",
                   {.doc = "Means over windows of one dimension.",
                    .quantized = OnQuantized::requantized,
                    .sizes = SizeList::window}),
    op<avg_pool_nd<2>>(
        "aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool "
        "ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
        {.doc = "Means over windows of two dimensions.",
         .quantized = OnQuantized::requantized,
         .sizes = SizeList::window}),
    op<avg_pool_nd<3>>(
        "aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool "
        "ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
        {.doc = "Means over windows of three dimensions.",
         .quantized = OnQuantized::requantized,
         .sample = "self=f32[batch,6,depth,height,width]",
         .sizes = SizeList::window}),
};

}  // namespace

std::span<const Declaration> average_pooling_ops() { return kAveragePooling; }

}  // namespace cameo::aten
