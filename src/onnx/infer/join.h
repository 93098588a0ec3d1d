#pragma once
#include "onnx/graph/type.h"
#include "sym/context.h"

namespace cameo::onnx {

// Marks a symbol that stands for another number in each element of a sequence.
inline constexpr std::uint64_t kVaries = 1;

// The type of a value that has one of two types: dims that differ become fresh symbols with `tag`, different
// ranks give no shape. Kinds and element types must agree where they are known.
Type join(sym::Context& symbols, const Type& a, const Type& b, std::uint64_t tag = 0);

}  // namespace cameo::onnx
