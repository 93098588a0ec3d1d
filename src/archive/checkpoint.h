#pragma once
// What torch.save has put into a pickle: told from its values, without running anything.

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
