#include "onnx/raise/raise.h"

#include "onnx/facts/facts.h"
#include "onnx/raise/step.h"

namespace cameo::onnx {
namespace {

constexpr int kLastConsumedInputs = 5;

void take_steps(Raising& r, std::string_view op, std::span<const Raise> rows) {
  for (const Raise& row : rows)
    if (row.op == op && r.opset < row.since && r.fidelity != Fidelity::none) row.up(r);
}

}  // namespace

Fidelity raise(Node& node, std::int64_t opset, std::size_t outputs, Maker& maker) {
  if (!node.domain.empty() && node.domain != "ai.onnx") return Fidelity::none;
  const facts::Operator* known = facts::find("", node.op, opset);
  if (!known || known->deprecated || opset > facts::find_domain("")->newest) return Fidelity::none;
  const Node before = node;
  Raising r{.node = node, .opset = opset, .outputs = outputs, .maker = maker};
  node.domain.clear();
  if (opset <= kLastConsumedInputs) r.remove("consumed_inputs");
  for (const auto family :
       {argument_raises(), arithmetic_raises(), attribute_raises(), normalization_raises(), resize_raises()})
    take_steps(r, before.op, family);
  if (r.fidelity == Fidelity::none) node = before;
  return r.fidelity;
}

}  // namespace cameo::onnx
