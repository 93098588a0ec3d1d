#pragma once
// Layout operators as changes of shape, strides and offset.

#include <optional>

#include "onnx/fold/index.h"
#include "onnx/graph/graph.h"

namespace cameo::onnx {

struct View {
  Ints shape;
  Ints strides;
  std::int64_t offset = 0;
};

View contiguous_view(Ints shape);

// The result of Transpose, Expand, Slice, Reshape, Squeeze, Unsqueeze or Flatten on `view`, for constant
// further inputs. Empty if the operator is another one or strides cannot express it.
std::optional<View> layout_view(const Node& node, View view);

}  // namespace cameo::onnx
