#include <limits>

#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"

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

// Types come first, since a cast creates the node again.
void axes_of_wide_integers(Translation& t) {
  if (t.opset < 12) no_small_integers(t);
  if (t.instead.empty()) axes_to_attribute(t);
}

// The last of equals is the first of what is reversed.
void no_last_index(Translation& t) {
  const bool last = integer_attribute(t, "select_last_index", 0) != 0;
  remove_attribute(t, "select_last_index");
  if (!last) return;
  constexpr std::int64_t kBack = -1, kBeginning = std::numeric_limits<std::int64_t>::min();
  const Shape& shape = shape_of(t, 0);
  const std::int64_t axis = from_front(integer_attribute(t, "axis", 0), shape.rank());
  Emit& e = t.emit;
  Value* reversed = e.slice(t.node.inputs[0], axis, kBack, kBeginning, kBack);
  Value* found = e.op(t.node.op, {reversed}, t.node.attributes);
  t.instead = {e.op("Sub", {e.dim(shape[axis] - 1), found})};
}

// Only the largest, only of floats.
void largest_of_floats(Translation& t) {
  Emit& e = t.emit;
  Value* x = t.node.inputs[0];
  remove_attribute(t, "sorted");
  const bool smallest = integer_attribute(t, "largest", 1) == 0;
  remove_attribute(t, "largest");
  if (x->dtype() == DType::i64) needs(t, "it orders 64-bit integers");
  const DType inside = x->dtype() == DType::f32 ? DType::f32 : DType::f64;
  if (!smallest && inside == x->dtype()) return;
  Value* wide = e.cast(x, inside);
  std::vector<Value*> found =
      e.ops("TopK", {smallest ? e.op("Neg", {wide}) : wide, t.node.inputs[1]}, t.node.attributes, 2);
  t.instead = {e.cast(smallest ? e.op("Neg", {found[0]}) : found[0], x->dtype()), found[1]};
}

void count_to_attribute(Translation& t) { input_to_integer(t, 1, "k"); }

constexpr Revision kTopK[] = {{24, no_bf16}, {11, largest_of_floats}, {10, count_to_attribute}};
constexpr Revision kAxes18[] = {{18, axes_to_attribute}};
constexpr Revision kExtreme[] = {{20, no_booleans}, {18, axes_of_wide_integers}};
constexpr Revision kSum[] = {{13, axes_to_attribute}};
constexpr Revision kArg[] = {{12, no_last_index}};

constexpr Revisions kReduction[] = {
    {"ReduceL1", kAxes18},
    {"ReduceL2", kAxes18},
    {"ReduceLogSum", kAxes18},
    {"ReduceLogSumExp", kAxes18},
    {"ReduceMean", kAxes18},
    {"ReduceProd", kAxes18},
    {"ReduceSumSquare", kAxes18},
    {"ReduceMax", kExtreme},
    {"ReduceMin", kExtreme},
    {"ReduceSum", kSum},
    {"ArgMax", kArg},
    {"ArgMin", kArg},
    {"TopK", kTopK},
};

}  // namespace

std::span<const Revisions> reduction_revisions() { return kReduction; }

}  // namespace cameo::onnx
