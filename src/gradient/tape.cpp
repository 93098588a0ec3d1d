#include "gradient/tape.h"

#include <algorithm>

#include "gradient/rules.h"

namespace cameo::gradient {
namespace {

bool is_argument(const aten::Bound& call, const onnx::Value* value) {
  return std::ranges::any_of(call.args, [&](const aten::Arg& arg) {
    const aten::Tensor* tensor = arg.get_if<aten::Tensor>();
    return tensor && tensor->value == value;
  });
}

}  // namespace

void Tape::record(const aten::Bound& call, const aten::Returns& results) {
  if (!call_rule(*call.op)) return;
  Recorded recorded{call, {}};
  for (const aten::Arg& result : results) {
    const aten::Tensor* tensor = result.get_if<aten::Tensor>();
    recorded.results.push_back(tensor && !tensor->complex ? tensor->value : nullptr);
  }
  const onnx::Value* first = recorded.results.empty() ? nullptr : recorded.results.front();
  if (!first || !first->producer || is_argument(call, first)) return;
  const Recorded* kept = &calls_.emplace_back(std::move(recorded));
  for (const onnx::Value* value : kept->results)
    if (value) by_result_.try_emplace(value, kept);
}

const Recorded* Tape::find(const onnx::Value* value) const {
  const auto found = by_result_.find(value);
  return found == by_result_.end() ? nullptr : found->second;
}

}  // namespace cameo::gradient
