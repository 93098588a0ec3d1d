#include <algorithm>

#include "onnx/downgrade/downgrade.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

bool is_sequence(const Value* value) { return value && value->type.kind == Type::Kind::sequence; }

bool is_bf16(const Value* value) { return value && value->dtype() == DType::bf16; }

bool any_sequence(const std::vector<Value*>& values) {
  return std::any_of(values.begin(), values.end(), is_sequence);
}

// Older opsets treat two sizes that are runtime values as equal.
bool differ(const std::optional<Shape>& a, const std::optional<Shape>& b) {
  if (!a || !b || a->size() != b->size()) return a != b;
  for (std::size_t i = 0; i < a->size(); ++i)
    if ((*a)[i] != (*b)[i] && (known((*a)[i]) || known((*b)[i]))) return true;
  return false;
}

bool shapes_differ(const Node& node) {
  const auto* then_branch = node.attribute_if<Graph*>("then_branch");
  const auto* else_branch = node.attribute_if<Graph*>("else_branch");
  if (!then_branch || !else_branch) return false;
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    if (differ((*then_branch)->outputs[i]->type.shape, (*else_branch)->outputs[i]->type.shape)) return true;
  return false;
}

}  // namespace

void check_control(Emit& emit, Node& node) {
  const std::vector<Inferred> none;
  Translation t{.emit = emit, .opset = emit.model().opset, .node = node, .results = none};
  t.since = 13;
  if (t.opset < t.since && (any_sequence(node.inputs) || any_sequence(node.outputs)))
    needs(t, "it holds a list whose length is known only when the model runs");
  t.since = 16;
  if (t.opset < t.since && (std::any_of(node.inputs.begin(), node.inputs.end(), is_bf16) ||
                            std::any_of(node.outputs.begin(), node.outputs.end(), is_bf16)))
    needs(t, "it has numbers of type bf16");
  t.since = 11;
  if (t.opset < t.since && shapes_differ(node)) needs(t, "its branches give different shapes");
}

}  // namespace cameo::onnx
