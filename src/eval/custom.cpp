// Operators that the user converts.
#include "eval/evaluator.h"

namespace cameo::eval {

Evaluator::TensorCall Evaluator::custom_call(std::string_view name, const Arguments& given) {
  return tensor_call(name, given, [this](std::string_view form) { return custom_.find(form); });
}

std::optional<Value> Evaluator::call_custom_operator(std::string_view name, const Arguments& given) {
  if (custom_.empty()) return std::nullopt;
  const TensorCall call = custom_call(name, given);
  if (call.overloads.empty()) return std::nullopt;
  try {
    if (!aten::bind(emit_, call.overloads, to_call(call.arguments))) return std::nullopt;
  } catch (const aten::Unsupported&) {
    return std::nullopt;
  }
  return convert(call);
}

}  // namespace cameo::eval
