#pragma once
// The contents of a pickle that torch.save has written, found from its values. Nothing is executed.

#include <string>

#include "archive/value.h"

namespace cameo::archive {

struct Checkpoint {
  enum class Content { state_dict, tensors, object } content = Content::tensors;
  std::string class_name;       // of the nn.Module or other Python object, "models.Net"
  std::size_t tensors = 0;      // reachable from the root
  std::string first_parameter;  // the first key that names a tensor, "conv1.weight"
};

Checkpoint study_checkpoint(Ref root);

}  // namespace cameo::archive
