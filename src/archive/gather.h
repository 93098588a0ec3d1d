#pragma once
#include "archive/tensor.h"

namespace cameo::archive {

// The elements of a strided tensor that has some, in order, in pieces of a few megabytes. Only about one
// piece of the mapping is resident at a time.
void gather(const Tensor& tensor, const std::function<void(Bytes)>& sink);

}  // namespace cameo::archive
