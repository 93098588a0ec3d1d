#include <algorithm>

#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool merge_reduce(Patch& patch, onnx::Node& last) {
  onnx::Node* reduce =
      made_by(last.inputs[0], {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
                               "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"});
  const bool keeps = last.op == "Unsqueeze";  // it puts back what was reduced
  if (!patch.require(reduce && reduce->graph == last.graph,
                     "its input is not the result of a reduction of the same graph") ||
      !patch.require(patch.read_once(last.inputs[0]), "another node reads the result of the reduction") ||
      !patch.require((integer(*reduce, "keepdims", 1) != 0) != keeps,
                     "the reduction has the other value of keepdims"))
    return false;
  auto reduced = from_front(integers(*reduce, 1, "axes"), reduce->inputs[0]);
  auto changed = from_front(integers(last, 1, "axes"), keeps ? last.outputs[0] : last.inputs[0]);
  if (!patch.require(reduced && changed && !reduced->empty(), "the axes are not constants")) return false;
  std::ranges::sort(*reduced);
  std::ranges::sort(*changed);
  if (!patch.require(reduced == changed, "the two have different axes")) return false;
  patch.set_attribute(*reduce, "keepdims", std::int64_t{keeps});
  patch.take_result(*reduce, last);
  return true;
}

}  // namespace cameo::rules
