#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool remove_repeated(Patch& patch, onnx::Node& node) {
  return made_by(node.inputs[0], {node.op}) && patch.bypass(node, node.inputs[0]);
}

}  // namespace cameo::rules
