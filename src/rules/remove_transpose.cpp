#include <algorithm>

#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool remove_transpose(Patch& patch, onnx::Node& transpose) {
  const auto order = permutation(transpose);
  return patch.require(order.has_value(), "the order of its axes is not known") &&
         patch.require(std::ranges::is_sorted(*order), "it changes the order of the axes") &&
         patch.bypass(transpose, transpose.inputs[0]);
}

}  // namespace cameo::rules
