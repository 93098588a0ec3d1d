#include "rules/affine.h"
#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

using onnx::Node;
using onnx::Value;

// x·W + b for a matrix x: one Gemm, one MatMul, or a MatMul and an Add.
struct Linear {
  Node* product;
  Node* sum = nullptr;     // the Add
  std::size_t weight = 1;  // which input
  std::size_t bias = 2;    // of the Gemm or the Add
  bool by_rows = false;    // the weight is [out, in]
};

bool has_two_axes(const Value* value) { return value->has_rank() && value->rank() == 2; }

std::optional<Linear> linear(const Patch& patch, const Value* result) {
  if (Node* gemm = made_by(result, {"Gemm"})) {
    const auto* beta = gemm->attribute_if<float>("beta");
    if (beta && *beta != 1) return std::nullopt;
    return Linear{.product = gemm, .by_rows = integer(*gemm, "transB", 0) != 0};
  }
  if (Node* product = made_by(result, {"MatMul"})) return Linear{.product = product};
  Node* sum = made_by(result, {"Add"});
  if (!sum) return std::nullopt;
  for (std::size_t side : {0, 1}) {
    Node* product = made_by(sum->inputs[side], {"MatMul"});
    if (product && product->graph == sum->graph && patch.read_once(sum->inputs[side]))
      return Linear{.product = product, .sum = sum, .bias = 1 - side};
  }
  return std::nullopt;
}

}  // namespace

bool fold_batch_norm_into_linear(Patch& patch, Node& norm) {
  if (!patch.require(patch.read_once(norm.inputs[0]), "another node reads its input") ||
      !patch.require(has_two_axes(norm.inputs[0]), "its input is not known to have two axes"))
    return false;
  const auto layer = linear(patch, norm.inputs[0]);
  if (!patch.require(layer && layer->product->graph == norm.graph && has_two_axes(layer->product->inputs[0]),
                     "its input is not the result of a linear layer of the same graph"))
    return false;
  const Value* weight = layer->product->inputs[layer->weight];
  Node& last = layer->sum ? *layer->sum : *layer->product;
  const Value* bias = last.op == "MatMul" ? nullptr : input(last, layer->bias);
  const auto affine = affine_of(norm);
  if (!patch.require(affine.has_value(), "its statistics are not constants of float32 or float64") ||
      !patch.require(constant_real(weight) && weight->rank() == 2 && weight->data->numel() != 0,
                     "the weight of the layer is not a constant matrix of float32 or float64"))
    return false;
  const auto outputs = std::ssize(affine->scale);
  const Ints& shape = weight->data->shape();
  if (!patch.require(shape[layer->by_rows ? 0 : 1] == outputs, "the layer has another number of outputs") ||
      !patch.require(!bias || (constant_real(bias) && bias->data->shape() == Ints{outputs}),
                     "the bias of the layer is not a constant with one number for each output"))
    return false;
  const Channels channels = layer->by_rows ? Channels{.length = shape[1]}
                                           : Channels{.block = weight->data->numel(), .width = outputs};
  const std::string name = bias ? bias->name : bias_name(weight->name);
  if (last.op == "MatMul") last.op = "Gemm";
  patch.set_input(last, layer->bias, patch.constant(shifted(weight->dtype(), bias, *affine), name));
  patch.set_input(*layer->product, layer->weight,
                  patch.constant(scaled(weight->data, *affine, channels), weight->name));
  patch.take_result(last, norm);
  return true;
}

}  // namespace cameo::rules
