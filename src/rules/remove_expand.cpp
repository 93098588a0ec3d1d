#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool remove_expand(Patch& patch, onnx::Node& expand) {
  return patch.require(same_shape(expand.inputs[0], expand.outputs[0]),
                       "its result is not known to have the shape of its input") &&
         patch.bypass(expand, expand.inputs[0]);
}

}  // namespace cameo::rules
