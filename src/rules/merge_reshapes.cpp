#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

// A 0 takes the size over from what is reshaped: it must say the same of `origin` as of `between`, or be
// replaced by a number.
bool say_for(const onnx::Value* origin, const onnx::Value* between, Ints& shape) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 0) continue;
    if (!between->has_rank() || i >= between->type.shape->size()) return false;
    const onnx::Dim& size = (*between->type.shape)[i];
    if (origin->has_rank() && i < origin->type.shape->size() && (*origin->type.shape)[i] == size) continue;
    const auto number = onnx::known(size);
    if (!number || *number == 0) return false;
    shape[i] = *number;
  }
  return true;
}

}  // namespace

bool merge_reshapes(Patch& patch, onnx::Node& reshape) {
  const onnx::Node* first = made_by(reshape.inputs[0], {"Reshape", "Flatten", "Squeeze", "Unsqueeze"});
  const auto given = integers(input(reshape, 1));
  if (!patch.require(first, "its input is not the result of a change of shape") ||
      !patch.require(given.has_value(), "its shape is not a constant"))
    return false;
  Ints shape = *given;
  if (!patch.require(
          integer(reshape, "allowzero", 0) != 0 || say_for(first->inputs[0], reshape.inputs[0], shape),
          "its shape copies a size (0) that is not the same before the first change of shape"))
    return false;
  if (shape != *given) {
    patch.set_input(reshape, 1, patch.constant(data_of(shape)));
  }
  patch.set_input(reshape, 0, first->inputs[0]);
  return true;
}

}  // namespace cameo::rules
