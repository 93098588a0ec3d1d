#include <algorithm>

#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool remove_transpose(Patch& patch, onnx::Node& transpose) {
  const auto order = permutation(transpose);
  return order && std::ranges::is_sorted(*order) && patch.bypass(transpose, transpose.inputs[0]);
}

}  // namespace cameo::rules
