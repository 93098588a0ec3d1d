#include <algorithm>

#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool remove_pad(Patch& patch, onnx::Node& pad) {
  const auto amounts = integers(pad, 1, "pads");
  return amounts && std::ranges::all_of(*amounts, [](std::int64_t amount) { return amount == 0; }) &&
         patch.bypass(pad, pad.inputs[0]);
}

}  // namespace cameo::rules
