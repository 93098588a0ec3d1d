#include "onnx/opset/families.h"
#include "onnx/opset/steps.h"

namespace cameo::onnx {
namespace {

void axes_to_attribute(Translation& t) {
  const bool listed =
      has_input(t, 1) && !(t.node.inputs[1]->constant() && t.node.inputs[1]->data->numel() == 0);
  if (!listed && integer_attribute(t, "noop_with_empty_axes", 0) != 0) {
    t.instead = {t.emit.identity(t.node.inputs[0])};
    return;
  }
  remove_attribute(t, "noop_with_empty_axes");
  if (listed)
    axes_input_to_attribute(t);
  else
    t.node.inputs.resize(1);
}

void no_last_index(Translation& t) { drop_attribute(t, "select_last_index", 0, "ties go to the last index"); }

constexpr Revision kAxes18[] = {{18, axes_to_attribute}};
constexpr Revision kExtreme[] = {{20, no_booleans}, {18, axes_to_attribute}, {12, no_small_integers}};
constexpr Revision kSum[] = {{13, axes_to_attribute}};
constexpr Revision kArg[] = {{12, no_last_index}};

constexpr Revisions kReduction[] = {
    {"ReduceL1", kAxes18},        {"ReduceL2", kAxes18},   {"ReduceLogSum", kAxes18},
    {"ReduceLogSumExp", kAxes18}, {"ReduceMean", kAxes18}, {"ReduceProd", kAxes18},
    {"ReduceSumSquare", kAxes18}, {"ReduceMax", kExtreme}, {"ReduceMin", kExtreme},
    {"ReduceSum", kSum},          {"ArgMax", kArg},        {"ArgMin", kArg},
};

}  // namespace

std::span<const Revisions> reduction_revisions() { return kReduction; }

}  // namespace cameo::onnx
