#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool remove_repeated(Patch& patch, onnx::Node& node) {
  return patch.require(made_by(node.inputs[0], {node.op}),
                       "its input is not the result of the same operator") &&
         patch.bypass(node, node.inputs[0]);
}

}  // namespace cameo::rules
