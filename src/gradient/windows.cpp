#include <algorithm>

#include "aten/elementwise.h"
#include "aten/reduce.h"
#include "gradient/rules.h"

namespace cameo::gradient {
namespace {

Axes list_or(const NodeStep& s, std::string_view name, std::size_t count, std::int64_t otherwise) {
  const auto* list = s.node.attribute_if<Axes>(name);
  return list ? *list : Axes(count, otherwise);
}

// The same elements with another size of an axis: zeros behind them, or without the last ones.
Expr resized(const Expr& x, std::int64_t axis, const Dim& size, std::int64_t most) {
  Emit& e = *x.e;
  const Dim rest = e.simplify(size - x.dim(axis));
  if (rest == Dim(0)) return x;
  const std::optional<std::int64_t> known = rest.as_constant();
  if (known && *known < 0) return slice(x, axis, 0, size);
  Shape margin = Shape::filled(2 * x.rank(), 0);
  margin[axis + x.rank()] = known ? *known : most;
  const Expr longer = e.op("Pad", {x, e.dims(margin)});
  return known ? longer : slice(longer, axis, 0, size);
}

// The transposed convolution. Elements behind the last window have no part in it.
Expr convolution_input(const NodeStep& s) {
  const Expr x = s.in(0), w = s.in(1);
  const auto axes = static_cast<std::size_t>(x.rank() - 2);
  const Axes strides = list_or(s, "strides", axes, 1), dilations = list_or(s, "dilations", axes, 1);
  Axes pads = list_or(s, "pads", 2 * axes, 0);
  std::fill(pads.begin() + static_cast<std::ptrdiff_t>(axes), pads.end(), 0);
  onnx::Attributes attributes{
      {"strides", strides}, {"dilations", dilations}, {"pads", pads}, {"group", s.integer("group", 1)}};
  Expr covered = s.e.op("ConvTranspose", {s.grad(), w}, std::move(attributes));
  for (std::int64_t axis = 2; axis < x.rank(); ++axis)
    covered = resized(covered, axis, x.dim(axis), strides[as_size(axis - 2)]);
  return covered;
}

void convolution(const NodeStep& s) {
  if (s.text("auto_pad", "NOTSET") != "NOTSET")
    throw aten::Unsupported("the derivative of a convolution with automatic padding is not supported");
  if (s.wants(0)) s.give(0, convolution_input(s));
  if (s.wants(1)) throw aten::Unsupported("the derivative of a convolution by its weight is not supported");
  Axes others{0};
  for (std::int64_t axis = 2; axis < s.in(0).rank(); ++axis) others.push_back(axis);
  if (s.wants(2)) s.give(2, aten::reduce_sum(s.grad(), others));
}

void global_average(const NodeStep& s) {
  const Expr x = s.in(0);
  Axes axes;
  for (std::int64_t axis = 2; axis < x.rank(); ++axis) axes.push_back(axis);
  s.give(0, expand(s.grad(), x.shape()) / count(x, axes));
}

constexpr NodeRow kWindows[] = {
    {"Conv", convolution},
    {"GlobalAveragePool", global_average},
};

}  // namespace

std::span<const NodeRow> window_rules() { return kWindows; }

}  // namespace cameo::gradient
