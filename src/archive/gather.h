#pragma once
#include "archive/tensor.h"

namespace cameo::archive {

// The elements of a strided tensor that has some, in order, in pieces of a few megabytes. Of the mapping that
// they come from not much more is resident at a time.
void gather(const Tensor& tensor, const std::function<void(Bytes)>& sink);

}  // namespace cameo::archive
