#include <algorithm>

#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

// Positions that are not among `axes`: the first `count` of them.
Ints others(const Ints& axes, std::size_t count) {
  Ints rest;
  for (std::int64_t at = 0; rest.size() < count; ++at)
    if (std::ranges::find(axes, at) == axes.end()) rest.push_back(at);
  return rest;
}

// `inner` counts among the axes that are not `outer`: both, counted among all.
Ints joined(const Ints& outer, const Ints& inner) {
  const auto most = std::ranges::max_element(inner);
  const Ints rest = others(outer, most == inner.end() ? 0 : as_size(*most) + 1);
  Ints all = outer;
  for (const std::int64_t axis : inner) all.push_back(element_at(rest, axis));
  std::ranges::sort(all);
  return all;
}

}  // namespace

bool merge_squeezes(Patch& patch, onnx::Node& last) {
  const bool squeeze = last.op == "Squeeze";
  const onnx::Node* first = made_by(last.inputs[0], {last.op});
  if (!patch.require(first, "its input is not the result of the same operator")) return false;
  auto axes = [&](const onnx::Node& node) {
    return from_front(integers(node, 1, "axes"), squeeze ? node.inputs[0] : node.outputs[0]);
  };
  const auto before = axes(*first), after = axes(last);
  if (!patch.require(before && after, "the axes are not constants")) return false;
  const Ints all = squeeze ? joined(*before, *after) : joined(*after, *before);
  if (input(last, 1))
    patch.set_input(last, 1, patch.constant(data_of(all)));
  else
    patch.set_attribute(last, "axes", all);
  patch.set_input(last, 0, first->inputs[0]);
  return true;
}

}  // namespace cameo::rules
