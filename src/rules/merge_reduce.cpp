#include <algorithm>

#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool merge_reduce(Patch& patch, onnx::Node& last) {
  onnx::Node* reduce =
      made_by(last.inputs[0], {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
                               "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"});
  const bool keeps = last.op == "Unsqueeze";  // it puts back what was reduced
  if (!reduce || reduce->graph != last.graph || !patch.read_once(last.inputs[0]) ||
      (integer(*reduce, "keepdims", 1) != 0) == keeps)
    return false;
  auto reduced = from_front(integers(*reduce, 1, "axes"), reduce->inputs[0]);
  auto changed = from_front(integers(last, 1, "axes"), keeps ? last.outputs[0] : last.inputs[0]);
  if (!reduced || !changed || reduced->empty()) return false;
  std::ranges::sort(*reduced);
  std::ranges::sort(*changed);
  if (reduced != changed) return false;
  patch.set_attribute(*reduce, "keepdims", std::int64_t{keeps});
  patch.take_result(*reduce, last);
  return true;
}

}  // namespace cameo::rules
