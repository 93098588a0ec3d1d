#include <algorithm>

#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool remove_pad(Patch& patch, onnx::Node& pad) {
  const auto amounts = integers(pad, 1, "pads");
  return patch.require(amounts.has_value(), "its amounts are not constants") &&
         patch.require(std::ranges::all_of(*amounts, [](std::int64_t amount) { return amount == 0; }),
                       "it adds elements") &&
         patch.bypass(pad, pad.inputs[0]);
}

}  // namespace cameo::rules
