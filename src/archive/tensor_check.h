#pragma once
#include <optional>
#include <string>

#include "archive/tensor.h"

namespace cameo::archive {

// The fault of a strided tensor that a file declares: sizes that overflow, strides that leave the storage.
// Absent: every element lies within the storage, or the storage has no data.
std::optional<std::string> find_fault(const Tensor& tensor);

// The part of this that also applies to sparse tensors: the number of bytes overflows.
std::optional<std::string> find_size_fault(const Tensor& tensor);

}  // namespace cameo::archive
