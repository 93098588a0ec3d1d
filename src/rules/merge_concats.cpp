#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

std::optional<Ints> axis(const onnx::Node& concat) {
  return from_front(Ints{integer(concat, "axis", 1)}, concat.outputs[0]);
}

}  // namespace

bool merge_concats(Patch& patch, onnx::Node& concat) {
  const auto own = axis(concat);
  std::vector<onnx::Value*> all;
  for (onnx::Value* value : concat.inputs) {
    const onnx::Node* part = own && patch.read_once(value) ? made_by(value, {"Concat"}) : nullptr;
    if (part && axis(*part) == own)
      all.insert(all.end(), part->inputs.begin(), part->inputs.end());
    else
      all.push_back(value);
  }
  if (!patch.require(all.size() != concat.inputs.size(),
                     "no input is the result of a Concat along the same axis that only this node reads"))
    return false;
  patch.set_inputs(concat, std::move(all));
  return true;
}

}  // namespace cameo::rules
