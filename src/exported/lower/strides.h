#pragma once
#include <optional>

#include "exported/graph.h"

namespace cameo::exported {

// Whether a tensor with these sizes and strides can be a view of `from`: PyTorch's reshape copies if it cannot.
// Nothing if a size or stride is not a number.
std::optional<bool> is_view_possible(const TensorMeta& from, const TensorMeta& to);

// Whether two tensors of the same sizes have their elements in the same places. Nothing if a size or stride is not
// a number.
std::optional<bool> has_same_order(const TensorMeta& a, const TensorMeta& b);

}  // namespace cameo::exported
