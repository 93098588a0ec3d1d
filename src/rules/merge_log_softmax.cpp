#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool merge_log_softmax(Patch& patch, onnx::Node& log) {
  onnx::Node* softmax = made_by(log.inputs[0], {"Softmax"});
  if (!patch.require(softmax && softmax->graph == log.graph,
                     "its input is not the result of a Softmax of the same graph") ||
      !patch.require(patch.read_once(log.inputs[0]), "another node reads the result of the Softmax"))
    return false;
  softmax->op = "LogSoftmax";
  patch.take_result(*softmax, log);
  return true;
}

}  // namespace cameo::rules
