#include "onnx/opset/opset.h"

#include <unordered_map>

#include "onnx/opset/families.h"
#include "onnx/opset/steps.h"

namespace cameo::onnx {
namespace {

const std::unordered_map<std::string_view, const Revisions*>& table() {
  static const auto kRows = [] {
    std::unordered_map<std::string_view, const Revisions*> all;
    for (auto family : {activation_revisions(), normalization_revisions(), reduction_revisions(),
                        layout_revisions(), resize_revisions(), indexing_revisions(), arithmetic_revisions(),
                        bitwise_revisions(), small_float_revisions()})
      for (const Revisions& row : family) all.emplace(row.op, &row);
    return all;
  }();
  return kRows;
}

}  // namespace

std::vector<Value*> translate(Emit& emit, Node& node, const std::vector<Inferred>& results) {
  if (!node.domain.empty()) return {};
  const auto found = table().find(node.op);
  const Revisions* revisions = found == table().end() ? nullptr : found->second;
  Translation t{.emit = emit, .opset = emit.model().opset, .node = node, .results = results};
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

}  // namespace cameo::onnx
