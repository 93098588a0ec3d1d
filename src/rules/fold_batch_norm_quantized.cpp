#include <algorithm>
#include <cmath>

#include "rules/affine.h"
#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

// Factors that differ from 1 by no more come from rounding: quantisation-aware training multiplies by a scale and
// divides by it again.
constexpr double kRounding = 1e-6;

// The elements of a constant of f32 beside a tensor of `rank` axes, one for each channel.
std::optional<std::vector<double>> per_channel(const onnx::Value* value, std::int64_t rank,
                                               std::int64_t channels) {
  if (!value || !value->constant() || value->dtype() != DType::f32) return std::nullopt;
  const auto& shape = value->data->shape();
  const std::int64_t missing = rank - std::ssize(shape), count = value->data->numel();
  if (missing < 0 || (count != 1 && count != channels)) return std::nullopt;
  for (std::int64_t axis = 0; axis < std::ssize(shape); ++axis)
    if (axis + missing != 1 && element_at(shape, axis) != 1) return std::nullopt;
  std::vector<double> numbers;
  for (std::int64_t c = 0; c < channels; ++c) numbers.push_back(value->data->real(count == 1 ? 0 : c));
  return numbers;
}

// The operators between a convolution and its batch normalisation: conv / divisor + bias.
struct Between {
  onnx::Node* convolution = nullptr;
  onnx::Node* sum = nullptr;
  onnx::Node* quotient = nullptr;
};

Between between(const Patch& patch, const onnx::Node& norm) {
  Between found;
  const onnx::Value* value = norm.inputs[0];
  const auto step = [&](std::string_view op) -> onnx::Node* {
    onnx::Node* node = patch.read_once(value) ? made_by(value, {op}) : nullptr;
    if (node && node->graph != norm.graph) node = nullptr;
    if (node) value = node->inputs[0];
    return node;
  };
  found.sum = step("Add");
  found.quotient = step("Div");
  found.convolution = step("Conv");
  return found;
}

// One scale for each channel of the weights, or unchanged where all factors are 1.
bool scale_weights(Patch& patch, onnx::Node& convolution, const std::vector<double>& factors) {
  if (std::ranges::all_of(factors, [](double f) { return std::abs(f - 1) <= kRounding; })) return true;
  onnx::Node* dequantize = made_by(convolution.inputs[1], {"DequantizeLinear"});
  const onnx::Value* scale = dequantize->inputs[1];
  if (!patch.require(scale->has_rank() && scale->rank() == 1 && scale->data->numel() == std::ssize(factors) &&
                         integer(*dequantize, "axis", 1) == 0 && patch.read_once(convolution.inputs[1]),
                     "the weights have no scale per channel"))
    return false;
  std::vector<float> scales;
  for (const double factor : factors) {
    scales.push_back(static_cast<float>(scale->data->real(std::ssize(scales)) * factor));
    if (!patch.require(scales.back() > 0, "a scale would not be positive")) return false;
  }
  patch.set_input(
      *dequantize, 1,
      patch.constant(onnx::Data::of<float>(DType::f32, {std::ssize(scales)}, scales), scale->name));
  return true;
}

}  // namespace

bool fold_batch_norm_into_quantized(Patch& patch, onnx::Node& norm) {
  const Between found = between(patch, norm);
  const onnx::Node* dequantize =
      found.convolution ? made_by(found.convolution->inputs[1], {"DequantizeLinear"}) : nullptr;
  if (!patch.require(dequantize && dequantize->inputs[0]->constant() && dequantize->inputs[1]->constant(),
                     "its input is not the result of a convolution with quantised weights"))
    return false;
  const auto affine = affine_of(norm);
  const onnx::Value* bias = input(*found.convolution, 2);
  if (!patch.require(affine && norm.inputs[1]->dtype() == DType::f32 && (!bias || constant_real(bias)) &&
                         found.convolution->outputs[0]->has_rank(),
                     "its statistics or the bias are not constants of float32"))
    return false;
  const std::int64_t channels = std::ssize(affine->scale);
  const std::int64_t rank = found.convolution->outputs[0]->rank();
  const auto divisor = found.quotient ? per_channel(found.quotient->inputs[1], rank, channels)
                                      : std::vector<double>(affine->scale.size(), 1.0);
  const auto added = found.sum ? per_channel(found.sum->inputs[1], rank, channels)
                               : std::vector<double>(affine->scale.size());
  if (!patch.require(divisor && added, "an operand between them is not a constant per channel")) return false;
  std::vector<double> factors;
  std::vector<float> shifts;
  for (std::int64_t c = 0; c < channels; ++c) {
    const double scale = element_at(affine->scale, c);
    factors.push_back(scale / element_at(*divisor, c));
    const double before = bias ? bias->data->real(c) : 0.0;
    shifts.push_back(static_cast<float>(before * factors.back() + element_at(*added, c) * scale +
                                        element_at(affine->shift, c)));
  }
  if (!scale_weights(patch, *found.convolution, factors)) return false;
  const std::string name = bias ? bias->name : bias_name(dequantize->inputs[0]->name);
  patch.set_input(*found.convolution, 2,
                  patch.constant(onnx::Data::of<float>(DType::f32, {std::ssize(shifts)}, shifts), name));
  patch.take_result(*found.convolution, norm);
  return true;
}

}  // namespace cameo::rules
