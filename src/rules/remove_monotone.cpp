#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

bool keeps_order_along(const onnx::Node& node, const onnx::Node& argmax) {
  if (node.op != "Softmax" && node.op != "LogSoftmax") return true;
  // Without one it is the second or the last, depending on the opset.
  if (!node.attribute("axis") && !(node.inputs[0]->has_rank() && node.inputs[0]->rank() == 2)) return false;
  const auto by = from_front(Ints{integer(node, "axis", -1)}, node.inputs[0]);
  const auto along = from_front(Ints{integer(argmax, "axis", 0)}, node.inputs[0]);
  return by && by == along;
}

}  // namespace

bool remove_monotone(Patch& patch, onnx::Node& argmax) {
  const onnx::Node* node = made_by(argmax.inputs[0], {"Exp", "Log", "LogSoftmax", "Softmax", "Sqrt"});
  if (!patch.require(node, "its input is not the result of a monotone operator") ||
      !patch.require(keeps_order_along(*node, argmax), "the Softmax is along another axis"))
    return false;
  patch.set_input(argmax, 0, node->inputs[0]);
  return true;
}

}  // namespace cameo::rules
