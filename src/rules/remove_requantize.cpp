#include <algorithm>

#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

// Larger parameters are the same only if they are the same value.
constexpr std::int64_t kMostParameters = 65536;

bool same_parameter(const onnx::Value* a, const onnx::Value* b) {
  if (a == b) return true;
  if (!a || !b || !a->constant() || !b->constant() || a->dtype() != b->dtype()) return false;
  return a->data->shape() == b->data->shape() && a->data->numel() <= kMostParameters &&
         std::ranges::equal(a->data->bytes(), b->data->bytes());
}

bool per_tensor(const onnx::Node& node) { return node.inputs[1]->has_rank() && node.inputs[1]->rank() == 0; }

bool same_parameters(const onnx::Node& quantize, const onnx::Node& dequantize) {
  if (!same_parameter(quantize.inputs[1], dequantize.inputs[1]) ||
      !same_parameter(input(quantize, 2), input(dequantize, 2)))
    return false;
  return per_tensor(quantize) || (integer(quantize, "axis", 1) == integer(dequantize, "axis", 1) &&
                                  integer(quantize, "block_size", 0) == integer(dequantize, "block_size", 0));
}

// The operators between a DequantizeLinear and `quantize` that only move elements, the last one first; `from` is that
// DequantizeLinear.
struct Moves {
  std::vector<onnx::Node*> nodes;
  onnx::Node* from = nullptr;
};

Moves moves_before(const Patch& patch, const onnx::Node& quantize) {
  Moves moves;
  const onnx::Value* value = quantize.inputs[0];
  while (onnx::Node* node =
             made_by(value, {"Transpose", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Slice"})) {
    if (!patch.read_once(value) || node->graph != quantize.graph) return moves;
    moves.nodes.push_back(node);
    value = node->inputs[0];
  }
  moves.from = made_by(value, {"DequantizeLinear"});
  return moves;
}

}  // namespace

bool remove_requantize(Patch& patch, onnx::Node& quantize) {
  const Moves moves = moves_before(patch, quantize);
  if (!patch.require(moves.from, "its input is not the result of a DequantizeLinear")) return false;
  onnx::Value* integers = moves.from->inputs[0];
  const DType dtype = quantize.outputs[0]->dtype();
  if (!patch.require(same_parameters(quantize, *moves.from) && integers->dtype() == dtype,
                     "the DequantizeLinear has other parameters") ||
      !patch.require(moves.nodes.empty() || per_tensor(quantize), "each channel has its own scale"))
    return false;
  if (moves.nodes.empty()) return patch.bypass(quantize, integers);
  onnx::Value* moved = moves.nodes.front()->outputs[0];
  if (!patch.bypass(quantize, moved)) return false;
  patch.set_input(*moves.nodes.back(), 0, integers);
  for (onnx::Node* node : moves.nodes) node->outputs[0]->type.dtype = dtype;
  return true;
}

}  // namespace cameo::rules
