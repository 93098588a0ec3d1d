#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool merge_log_softmax(Patch& patch, onnx::Node& log) {
  onnx::Node* softmax = made_by(log.inputs[0], {"Softmax"});
  if (!softmax || softmax->graph != log.graph || !patch.read_once(log.inputs[0])) return false;
  softmax->op = "LogSoftmax";
  patch.take_result(*softmax, log);
  return true;
}

}  // namespace cameo::rules
