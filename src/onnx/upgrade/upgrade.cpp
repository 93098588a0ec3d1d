#include "onnx/upgrade/upgrade.h"

#include "onnx/facts/facts.h"
#include "onnx/upgrade/step.h"

namespace cameo::onnx {
namespace {

constexpr int kLastConsumedInputs = 5;

void take_steps(Raising& r, std::string_view op, std::span<const Upgrade> rows) {
  for (const Upgrade& row : rows)
    if (row.op == op && r.opset < row.since && r.fidelity != Fidelity::none) row.up(r);
}

}  // namespace

Fidelity upgrade(Node& node, std::int64_t opset, std::size_t outputs, Maker& maker) {
  if (!node.domain.empty() && node.domain != "ai.onnx") return Fidelity::none;
  const facts::Operator* known = facts::find("", node.op, opset);
  if (!known || known->deprecated || opset > facts::find_domain("")->newest) return Fidelity::none;
  const Node before = node;
  Raising r{.node = node, .opset = opset, .outputs = outputs, .maker = maker};
  node.domain.clear();
  if (opset <= kLastConsumedInputs) r.remove("consumed_inputs");
  for (const auto family : {argument_upgrades(), arithmetic_upgrades(), attribute_upgrades(),
                            normalization_upgrades(), resize_upgrades()})
    take_steps(r, before.op, family);
  if (r.fidelity == Fidelity::none) node = before;
  return r.fidelity;
}

}  // namespace cameo::onnx
