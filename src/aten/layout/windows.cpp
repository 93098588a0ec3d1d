// Sliding windows taken apart and put together.
#include <fmt/core.h>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

// The positions of `size` elements, `dilation` apart, of `count` windows, `step` apart: [size, count].
Expr window_positions(Emit& e, std::int64_t size, std::int64_t dilation, const Dim& count,
                      std::int64_t step) {
  const Expr starts = e.op("Range", {e.dim(0), e.dim(count * step), e.dim(step)});
  Shape inside;
  for (std::int64_t i = 0; i < size; ++i) inside.emplace_back(i * dilation);
  return e.unsqueeze(e.dims(inside), {1}) + starts;
}

Expr unfold(Emit& e, Expr self, std::int64_t dimension, std::int64_t size, std::int64_t step) {
  if (step <= 0 || size < 0) throw ProgramError("the step must be positive, and the size not negative");
  const std::int64_t axis = self.wrap(dimension);
  const Expr x = self.rank() == 0 ? Expr(reshape(self, {1})) : self;
  const Dim count = e.simplify(sym::floordiv(x.dim(axis) - size, step) + 1);
  if (e.sym().less(x.dim(axis), size) == sym::Truth::yes)
    throw ProgramError(
        fmt::format("windows of {} do not fit into a dimension of size {}", size, to_string(x.dim(axis))));
  if (self.rank() == 0) return slice(x, 0, 0, size);
  const Expr positions = transpose(window_positions(e, size, 1, count, step), {1, 0});
  Axes perm;
  for (std::int64_t i = 0; i <= x.rank(); ++i)
    if (i != axis + 1) perm.push_back(i);
  perm.push_back(axis + 1);
  return transpose(gather(x, positions, axis), perm);
}

struct Window {
  std::int64_t kernel, dilation, padding, stride;
  std::int64_t reach() const { return dilation * (kernel - 1) + 1; }
  Dim count(const Dim& size) const { return sym::floordiv(size + 2 * padding - reach(), stride) + 1; }
};

std::vector<Window> windows(const Axes& kernel_size, const Axes& dilation, const Axes& padding,
                            const Axes& stride) {
  const Axes k = spread(kernel_size, 2, "kernel_size"), d = spread(dilation, 2, "dilation"),
             p = spread(padding, 2, "padding"), s = spread(stride, 2, "stride");
  std::vector<Window> out;
  for (std::size_t i = 0; i < 2; ++i) {
    if (k[i] <= 0 || d[i] <= 0 || s[i] <= 0 || p[i] < 0)
      throw ProgramError("kernel size, dilation and stride must be positive, padding not negative");
    out.push_back({k[i], d[i], p[i], s[i]});
  }
  return out;
}

Expr im2col(Emit& e, Expr self, Axes kernel_size, Axes dilation, Axes padding, Axes stride) {
  const std::vector<Window> w = windows(kernel_size, dilation, padding, stride);
  if (self.rank() != 3 && self.rank() != 4)
    throw ProgramError("the input must have three or four dimensions");
  Expr x = self.rank() == 3 ? Expr(unsqueeze(self, {0})) : self;
  const Dim batch = x.dim(0), channels = x.dim(1);
  const Dim high = w[0].count(x.dim(2)), wide = w[1].count(x.dim(3));
  if (w[0].padding != 0 || w[1].padding != 0)
    x = e.op("Pad", {x, e.ints({0, 0, w[0].padding, w[1].padding, 0, 0, w[0].padding, w[1].padding})});
  x = gather(x, window_positions(e, w[0].kernel, w[0].dilation, high, w[0].stride), 2);
  x = gather(x, window_positions(e, w[1].kernel, w[1].dilation, wide, w[1].stride), 4);
  const Dim rows = channels * w[0].kernel * w[1].kernel;
  const Expr columns = reshape(transpose(x, {0, 1, 2, 4, 3, 5}), {batch, rows, high * wide});
  return self.rank() == 3 ? Expr(squeeze(columns, {0})) : Expr(columns);
}

// One kernel a position in the window, 1 there and 0 elsewhere.
Expr unit_kernels(Emit& e, DType dtype, std::int64_t high, std::int64_t wide) {
  const std::int64_t count = high * wide;
  std::vector<float> ones(as_size(count * count));
  for (std::int64_t i = 0; i < count; ++i) element_at(ones, i * count + i) = 1;
  auto data = onnx::Data::of<float>(DType::f32, {count, 1, high, wide}, std::span<const float>(ones));
  return cast(e.constant(data), dtype);
}

// A transposed convolution of each channel by itself adds up what overlaps.
Expr col2im(Emit& e, Expr self, Shape output_size, Axes kernel_size, Axes dilation, Axes padding,
            Axes stride) {
  const std::vector<Window> w = windows(kernel_size, dilation, padding, stride);
  if (self.rank() != 2 && self.rank() != 3) throw ProgramError("the input must have two or three dimensions");
  if (output_size.size() == 1) output_size.push_back(output_size[0]);
  const Expr x = self.rank() == 2 ? Expr(unsqueeze(self, {0})) : self;
  const std::int64_t area = w[0].kernel * w[1].kernel;
  const Dim channels = sym::floordiv(x.dim(1), area);
  Axes more;
  Shape counts;
  for (std::size_t i = 0; i < 2; ++i) {
    counts.push_back(w[i].count(output_size[i]));
    const Dim made = (counts[i] - 1) * w[i].stride - 2 * w[i].padding + w[i].reach();
    const Dim missing = e.simplify(output_size[i] - made);
    if (!missing.as_constant())
      throw Unsupported(fmt::format("the number of windows depends on the size {}, which is a runtime value",
                                    to_string(output_size[i])),
                        "give the image a fixed size");
    more.push_back(*missing.as_constant());
  }
  const DType inside = is_floating(self.dtype()) ? DType::f32 : self.dtype();
  if (inside != DType::f32) throw Unsupported("the input must have a floating-point type");
  const Expr images = reshape(cast(x, inside), {x.dim(0) * channels, area, counts[0], counts[1]});
  onnx::Attributes attributes;
  auto unlike = [&](const char* name, Axes values, std::int64_t usual) {
    for (std::int64_t value : values)
      if (value != usual) return attributes.push_back({name, std::move(values)});
  };
  unlike("dilations", {w[0].dilation, w[1].dilation}, 1);
  unlike("output_padding", more, 0);
  unlike("pads", {w[0].padding, w[1].padding, w[0].padding, w[1].padding}, 0);
  unlike("strides", {w[0].stride, w[1].stride}, 1);
  const Expr sums = e.op("ConvTranspose", {images, unit_kernels(e, inside, w[0].kernel, w[1].kernel)},
                         std::move(attributes));
  Shape shape{x.dim(0), channels, output_size[0], output_size[1]};
  if (self.rank() == 2) shape.erase(shape.begin());
  return reshape(cast(sums, self.dtype()), shape);
}

constexpr Declaration kWindows[] = {
    op<unfold>("aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)",
               {.doc = "All windows of a dimension, along a new last one.",
                .complex = OnComplex::by_parts,
                .quantized = OnQuantized::integers,
                .copies = {"aten::unfold_copy"},
                .sample = "dimension=2, size=3, step=2"}),
    op<im2col>("aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] "
               "stride) -> Tensor",
               {.doc = "The windows of images, one a column.", .sample = "self=f32[batch,6,height,width]"}),
    op<col2im>("aten::col2im(Tensor self, int[2] output_size, int[2] kernel_size, int[2] dilation, int[2] "
               "padding, int[2] stride) -> Tensor",
               {.doc = "Images of windows, one a column; what overlaps is added.",
                .sample = "self=f32[batch,54,30], output_size=[10, 12]"}),
};

}  // namespace

std::span<const Declaration> windows_ops() { return kWindows; }

}  // namespace cameo::aten
