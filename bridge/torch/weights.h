#pragma once
#include <ATen/core/Tensor.h>

#include <map>

#include "archive/tensor.h"

namespace cameo::torch {

// Copies of tensors of an archive. Tensors that share a storage share the copy of it.
class Weights {
 public:
  // Throws Error (Code::unfit_value) if libtorch has no such tensor, or if the archive has no data for it.
  at::Tensor copy(const archive::Tensor& tensor);

 private:
  std::map<const archive::Storage*, at::Storage> storages_;
};

}  // namespace cameo::torch
