#pragma once
// What the evaluator knows of view operators beyond their schemas.

#include <string_view>

#include "aten/registry.h"

namespace cameo::eval {

// Operators that return their argument itself where there is nothing to do, and a fresh tensor otherwise.
bool aliases_when_unchanged(std::string_view op);

enum class Layout { contiguous, strided, doubtful };
// How the result of a view operator lies in memory, given its base.
Layout layout_of_view(const aten::Bound& call, std::size_t self, bool base_contiguous);

// The base's new value after `value` was written to the view of it that `call` derives.
aten::Tensor write_through(onnx::Emit& e, const aten::Bound& call, std::size_t self, std::size_t item,
                           aten::Tensor base, aten::Tensor value);
// The view itself.
aten::Tensor apply_view(onnx::Emit& e, const aten::Bound& call, std::size_t self, std::size_t item,
                        aten::Tensor base);

}  // namespace cameo::eval
