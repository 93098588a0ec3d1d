#include <algorithm>
#include <limits>

#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

bool takes_everything(const onnx::Node& slice) {
  const auto starts = integers(slice, 1, "starts"), ends = integers(slice, 2, "ends");
  constexpr std::int64_t kBeyond = std::numeric_limits<std::int32_t>::max();
  return starts && ends && std::ranges::all_of(*starts, [](std::int64_t at) { return at == 0; }) &&
         std::ranges::all_of(*ends, [](std::int64_t at) { return at >= kBeyond; });
}

}  // namespace

bool remove_slice(Patch& patch, onnx::Node& slice) {
  if (const onnx::Value* given = input(slice, 4)) {
    const auto steps = integers(given);
    if (!patch.require(steps && std::ranges::all_of(*steps, [](std::int64_t step) { return step == 1; }),
                       "its steps are not known to be 1"))
      return false;
  }
  return patch.require(same_shape(slice.inputs[0], slice.outputs[0]) || takes_everything(slice),
                       "its result is not known to have the shape of its input") &&
         patch.bypass(slice, slice.inputs[0]);
}

}  // namespace cameo::rules
