#include "rules/list.h"

namespace cameo::rules {

bool remove_single(Patch& patch, onnx::Node& node) {
  const bool alone = node.op == "Split" ? node.outputs.size() == 1 : node.inputs.size() == 1;
  return patch.require(alone, node.op == "Split" ? "it has several outputs" : "it has several inputs") &&
         patch.bypass(node, node.inputs[0]);
}

}  // namespace cameo::rules
