#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool merge_transposes(Patch& patch, onnx::Node& transpose) {
  onnx::Node* first = made_by(transpose.inputs[0], {"Transpose"});
  if (!patch.require(first, "its input is not the result of a Transpose")) return false;
  const auto inner = permutation(*first), outer = permutation(transpose);
  if (!patch.require(inner && outer && inner->size() == outer->size(), "the order of the axes is not known"))
    return false;
  Ints both;
  for (std::int64_t axis : *outer) both.push_back(element_at(*inner, axis));
  patch.set_attribute(transpose, "perm", std::move(both));
  patch.set_input(transpose, 0, first->inputs[0]);
  return true;
}

}  // namespace cameo::rules
