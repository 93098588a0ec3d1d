#pragma once
// Shared by the families of pooling.

#include "aten/arg.h"

namespace cameo::aten {

struct Window {
  std::vector<std::int64_t> kernel, stride, padding, dilation;
  bool ceil = false;
  std::vector<std::int64_t>
      whole;  // axes that one window covers, whatever their size: counted among the pooled ones

  std::int64_t axes() const { return std::ssize(kernel); }
  std::int64_t reach(std::size_t i) const { return dilation[i] * (kernel[i] - 1) + 1; }
};

// Kernel and stride may be formulas where the kernel is the whole size of its axis.
Window window_of(Emit& e, const Expr& self, std::int64_t axes, const Shape& kernel_size, const Shape& stride,
                 const std::vector<std::int64_t>& padding, const std::vector<std::int64_t>& dilation,
                 bool ceil);

// The padding for ceil_mode: windows may reach past the padding, but must begin before it.
struct Tail {
  Shape end;  // padding behind each axis that gives exactly PyTorch's windows
  bool known = true;
  bool longer = false;    // than the given padding, at some axis, or not known
  bool attribute = true;  // ONNX's ceil_mode gives the same windows
};

Tail tail_of(Emit& e, const Expr& x, const Window& w);

bool takes_single_elements(const Window& w);  // each window holds one element, and none of the padding
// These elements: every one that the strides reach.
Expr strided(Expr x, const Window& w);

// Attributes of ONNX's operators, with `end` as the padding behind each axis.
onnx::Attributes pool_attributes(const Window& w, const std::vector<std::int64_t>& end);
// `x` with the window's padding before each axis and `end` behind it; without `with`, of zeros.
Expr padded(Emit& e, Expr x, const Window& w, const Shape& end, Expr with);

// The maximum or mean over the last `axes` dimensions, which stay with size 1.
Expr global_max(Emit& e, Expr x, std::int64_t axes);
Expr global_mean(Emit& e, Expr x, std::int64_t axes);
// The position of the maximum over the last `axes` dimensions, in row-major order; the dimensions stay with
// size 1.
Expr global_argmax(Emit& e, Expr x, std::int64_t axes);

// The mean over `output_size` windows along each of the last `axes` dimensions.
Expr adaptive_avg_pool(Emit& e, const Expr& self, std::int64_t axes, const Shape& output_size);

// One number for each of `count` dimensions; one alone stands for all.
Shape spread_dims(const Shape& list, std::int64_t count, std::string_view name);
// Throws ProgramError if the input does not have channels, `axes` dimensions, and perhaps a batch dimension.
void check_pooled(const Expr& self, std::int64_t axes);
bool has_batch(const Expr& self, std::int64_t axes);

}  // namespace cameo::aten
