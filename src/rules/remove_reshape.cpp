#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool remove_reshape(Patch& patch, onnx::Node& reshape) {
  onnx::Value* before = reshape.inputs[0];
  if (!same_shape(before, reshape.outputs[0])) {
    const onnx::Node* first = made_by(before, {"Reshape", "Flatten", "Squeeze", "Unsqueeze"});
    if (!patch.require(first && same_shape(first->inputs[0], reshape.outputs[0]),
                       "its result is not known to have the shape of its input"))
      return false;
    before = first->inputs[0];
  }
  return patch.bypass(reshape, before);
}

}  // namespace cameo::rules
