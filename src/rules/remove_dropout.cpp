#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

bool is_zero(const onnx::Value* value) {
  return value && value->constant() && value->data->numel() == 1 && value->data->real(0) == 0;
}

}  // namespace

bool remove_dropout(Patch& patch, onnx::Node& dropout) {
  for (std::size_t i = 1; i < dropout.outputs.size(); ++i)
    if (!patch.require(!dropout.outputs[i] || !patch.is_read(dropout.outputs[i]), "its mask is used"))
      return false;
  if (!patch.require(is_zero(input(dropout, 1)) || !input(dropout, 2) || is_zero(input(dropout, 2)),
                     "it drops elements: training_mode is not known to be false, and the ratio not to be 0"))
    return false;
  return patch.bypass(dropout, dropout.inputs[0]);
}

}  // namespace cameo::rules
