#pragma once
#include <optional>
#include <span>
#include <vector>

#include "onnx/emit/emit.h"

namespace cameo::onnx {

// A Reshape is wrong if `size` is 0. For a size of the inputs this is assumed not to be so, and reported. A size
// that depends on data keeps its meaning: the program itself may ask for it.
void require_filled(Emit& e, const Dim& size);

// The dynamic sizes of inputs that must not be 0 so that none of the given sizes is 0. Empty if they never are;
// absent if it takes more than that.
std::optional<std::vector<Dim>> inputs_to_fill(sym::Context& symbols, std::span<const Dim> sizes);

}  // namespace cameo::onnx
