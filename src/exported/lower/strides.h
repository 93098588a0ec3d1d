#pragma once
#include <optional>

#include "exported/graph.h"

namespace cameo::exported {

// Whether a tensor with these sizes and strides can be a view of `from`: PyTorch's reshape copies if it cannot.
// Nothing if a size or stride is not a number.
std::optional<bool> is_view_possible(const TensorMeta& from, const TensorMeta& to);

// Whether the elements are in row-major order. Nothing if a size or stride is not a number.
std::optional<bool> is_contiguous(const TensorMeta& tensor);

}  // namespace cameo::exported
