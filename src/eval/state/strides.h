#pragma once
// The places of elements in memory, as PyTorch chooses them.

#include <optional>

#include "aten/registry.h"

namespace cameo::eval {

struct Strides {
  aten::Shape steps;                               // from one index of each axis to the next, in elements
  std::optional<aten::Dim> offset = aten::Dim(0);  // of the first element; absent if it is not known
};

aten::Shape row_major(const aten::Shape& sizes);

// Whether a view and its base share memory. `unknown`: it depends on runtime values, or on strides that are not
// known.
enum class Sharing { view, copy, unknown };
struct Placed {
  Sharing sharing = Sharing::unknown;
  std::optional<Strides> strides = std::nullopt;  // of a view, where they are known
};
// The place of the result of a view operator in the memory of `base`. `strides` are those of the base, absent if
// they are not known; `result` is the shape of the view.
Placed place(onnx::Emit& e, const aten::Bound& call, const aten::Tensor& base,
             const std::optional<Strides>& strides, const aten::Shape& result);

// The strides of a tensor of these sizes whose elements have no gaps and the order of others with `steps`; absent
// if that is not one order of the axes.
std::optional<aten::Shape> in_order_of(sym::Context& symbols, const aten::Shape& sizes,
                                       const aten::Shape& steps);
bool is_row_major(sym::Context& symbols, const aten::Shape& sizes, const aten::Shape& steps);
// Whether it is known that the channels, the second axis, are not the innermost ones in memory.
bool is_not_channels_last(sym::Context& symbols, const aten::Shape& sizes,
                          const std::optional<Strides>& strides);

}  // namespace cameo::eval
