#pragma once
// Views of tensors: their layout, and writes through them. The kind of view is a fact of the operator's
// declaration (aten::View).

#include "aten/registry.h"

namespace cameo::eval {

enum class Layout { contiguous, strided, doubtful };
// The memory layout of a view. `doubtful`: PyTorch makes a view or a copy, depending on strides.
Layout layout_of_view(const aten::Bound& call, bool base_contiguous);

// The base's new value after `value` was written to the view of it that `call` derives.
aten::Tensor write_through(onnx::Emit& e, const aten::Bound& call, std::size_t self, std::size_t item,
                           aten::Tensor base, aten::Tensor value);
// The view itself.
aten::Tensor apply_view(onnx::Emit& e, const aten::Bound& call, std::size_t self, std::size_t item,
                        aten::Tensor base);

}  // namespace cameo::eval
