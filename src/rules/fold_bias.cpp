#include "rules/affine.h"
#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

using onnx::Value;

std::optional<std::int64_t> channels_of(const onnx::Node& convolution) {
  const Value* weight = convolution.inputs[1];
  if (!weight->has_rank() || weight->rank() < 3) return std::nullopt;
  const bool transposed = convolution.op == "ConvTranspose";
  const auto channels = onnx::known((*weight->type.shape)[transposed ? 1 : 0]);
  if (!channels) return std::nullopt;
  return transposed ? *channels * integer(convolution, "group", 1) : *channels;
}

// One number a channel, or one for all of them.
bool is_bias(const Value* value, std::int64_t rank, std::int64_t channels) {
  if (!value->constant() || !is_real(value) || value->rank() > rank) return false;
  const Ints& shape = value->data->shape();
  std::int64_t left = std::ssize(shape);
  for (const std::int64_t size : shape) {
    const bool of_channels = left-- == rank - 1;
    if (size != 1 && !(of_channels && size == channels)) return false;
  }
  return true;
}

onnx::DataPtr spread(const onnx::Data& data, std::int64_t channels) {
  const Bytes bytes = data.bytes();
  std::vector<std::byte> all;
  for (std::int64_t i = 0; i < channels; i += data.numel()) all.insert(all.end(), bytes.begin(), bytes.end());
  return std::make_shared<onnx::Data>(data.dtype(), Ints{channels}, std::move(all));
}

}  // namespace

bool fold_bias(Patch& patch, onnx::Node& sum) {
  for (const std::size_t side : {0, 1}) {
    onnx::Node* convolution = made_by(sum.inputs[side], {"Conv", "ConvTranspose"});
    if (!convolution) continue;
    if (!patch.require(convolution->graph == sum.graph, "the convolution is in another graph") ||
        !patch.require(patch.read_once(sum.inputs[side]),
                       "another node reads the result of the convolution") ||
        !patch.require(!input(*convolution, 2), "the convolution has a bias") ||
        !patch.require(!quantized(*convolution), "the convolution is quantised"))
      return false;
    const Value* bias = sum.inputs[1 - side];
    const auto channels = channels_of(*convolution);
    if (!patch.require(channels.has_value(), "the number of channels is not known") ||
        !patch.require(is_bias(bias, convolution->inputs[1]->rank(), *channels),
                       "the other operand is not a constant with one number for each channel"))
      return false;
    const std::string name = bias->name.empty() ? bias_name(convolution->inputs[1]->name) : bias->name;
    patch.set_input(*convolution, 2, patch.constant(spread(*bias->data, *channels), name));
    patch.take_result(*convolution, sum);
    return true;
  }
  return patch.require(false, "no operand is the result of a convolution");
}

}  // namespace cameo::rules
