#include "onnx/downgrade/downgrade.h"

#include <unordered_map>

#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

const std::unordered_map<std::string_view, const Revisions*>& table() {
  static const auto kRows = [] {
    std::unordered_map<std::string_view, const Revisions*> all;
    for (auto family : {activation_revisions(), normalization_revisions(), reduction_revisions(),
                        layout_revisions(), edges_revisions(), resize_revisions(), scatter_revisions(),
                        arithmetic_revisions(), comparison_revisions(), counting_revisions(),
                        pooling_revisions(), products_revisions(), loss_revisions(), quantization_revisions(),
                        bitwise_revisions(), signal_revisions(), small_float_revisions()})
      for (const Revisions& row : family) all.emplace(row.op, &row);
    return all;
  }();
  return kRows;
}

// Axes were counted from the front before 11.
void count_axis_from_front(Translation& t) {
  const auto* axis = t.node.attribute_if<std::int64_t>("axis");
  if (!axis || *axis >= 0 || t.node.inputs.empty() || !t.node.inputs[0]->has_rank()) return;
  const std::int64_t rank = t.node.inputs[0]->rank() + (t.node.op == "OneHot" ? 1 : 0);
  set_attribute(t, "axis", from_front(*axis, rank));
}

// Not even Cast took bf16 before 13.
void refuse_bf16(Translation& t) {
  t.since = 13;
  if (uses(t, DType::bf16)) needs(t, "it has numbers of type bf16");
}

std::vector<Value*> translate(Emit& emit, Node& node, const std::vector<Inferred>& results) {
  if (!node.domain.empty()) return {};
  const auto found = table().find(node.op);
  const Revisions* revisions = found == table().end() ? nullptr : found->second;
  Translation t{.emit = emit, .opset = emit.model().opset, .node = node, .results = results};
  if (t.opset < 13) refuse_bf16(t);
  if (without_bf16(t)) return t.instead;
  if (t.opset < 11) count_axis_from_front(t);
  t.since = first_opset(node.op);
  if (t.opset < t.since) {
    if (!revisions || !revisions->expand) needs(t, "no older operator does what it does");
    revisions->expand(t);
    return t.instead;
  }
  if (!revisions) return {};
  for (const Revision& revision : revisions->list) {
    if (t.opset >= revision.since) break;
    t.since = revision.since;
    revision.down(t);
    if (!t.instead.empty()) return t.instead;
  }
  return {};
}

class ToOlderOpsets : public Downgrade {
 public:
  std::vector<Value*> node(Emit& emit, Node& node, const std::vector<Inferred>& results) const override {
    return translate(emit, node, results);
  }
  void control(Emit& emit, Node& node) const override { check_control(emit, node); }
  bool identity_takes_sequences(int opset) const override { return opset >= 14; }
};

}  // namespace

const Downgrade& downgrade() {
  static const ToOlderOpsets kDowngrade;
  return kDowngrade;
}

}  // namespace cameo::onnx
