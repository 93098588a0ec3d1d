#include "rules/affine.h"
#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

// [out, in/groups, …], or [in, out/groups, …] if transposed.
std::optional<Channels> channels_of(const onnx::Node& convolution, const onnx::Data& weight,
                                    std::int64_t outputs) {
  if (weight.shape().size() < 2 || weight.numel() == 0) return std::nullopt;
  const std::int64_t rows = weight.shape()[0], columns = weight.shape()[1];
  if (convolution.op == "Conv")
    return rows == outputs ? std::optional(Channels{.length = weight.numel() / rows}) : std::nullopt;
  const std::int64_t groups = integer(convolution, "group", 1);
  if (groups < 1 || rows % groups != 0 || columns * groups != outputs) return std::nullopt;
  return Channels{
      .length = weight.numel() / rows / columns, .block = rows / groups * columns, .width = columns};
}

}  // namespace

bool fold_batch_norm_into_convolution(Patch& patch, onnx::Node& norm) {
  onnx::Node* convolution = made_by(norm.inputs[0], {"Conv", "ConvTranspose"});
  if (!patch.require(convolution && convolution->graph == norm.graph,
                     "its input is not the result of a convolution of the same graph") ||
      !patch.require(patch.read_once(norm.inputs[0]), "another node reads the result of the convolution"))
    return false;
  const onnx::Value* weight = convolution->inputs[1];
  const onnx::Value* bias = input(*convolution, 2);
  if (!patch.require(constant_real(weight) && (!bias || constant_real(bias)),
                     "the weights of the convolution are not constants of float32 or float64"))
    return false;
  const auto affine = affine_of(norm);
  if (!patch.require(affine.has_value(), "its statistics are not constants of float32 or float64"))
    return false;
  const auto channels = channels_of(*convolution, *weight->data, std::ssize(affine->scale));
  if (!patch.require(channels.has_value(), "the convolution has another number of channels")) return false;
  const std::string name = bias ? bias->name : bias_name(weight->name);
  patch.set_input(*convolution, 2, patch.constant(shifted(weight->dtype(), bias, *affine), name));
  patch.set_input(*convolution, 1, patch.constant(scaled(weight->data, *affine, *channels), weight->name));
  patch.take_result(*convolution, norm);
  return true;
}

}  // namespace cameo::rules
