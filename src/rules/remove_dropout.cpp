#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool remove_dropout(Patch& patch, onnx::Node& dropout) {
  for (std::size_t i = 1; i < dropout.outputs.size(); ++i)
    if (dropout.outputs[i] && patch.is_read(dropout.outputs[i])) return false;
  if (const onnx::Value* training = input(dropout, 2))
    if (!training->constant() || training->data->numel() != 1 || training->data->integer(0) != 0)
      return false;
  return patch.bypass(dropout, dropout.inputs[0]);
}

}  // namespace cameo::rules
