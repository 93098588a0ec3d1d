// Normalisation of channels over a batch or an instance, and the running statistics that training keeps.
#include "aten/families.h"
#include "aten/network/normalization.h"

namespace cameo::aten {
namespace {

// Without elements there is nothing to normalise, whatever the number of dimensions.
bool is_empty(Emit& e, const Tensor& input) { return numel(e, input).as_constant() == 0; }

void check(const Tensor& input, bool by_input, const Optional& mean, const Optional& var) {
  check_floating(input);
  if (input.rank() < 2) throw ProgramError("the input must have at least two dimensions");
  if (!by_input && (!mean || !var)) throw ProgramError("running statistics must be given in evaluation mode");
}

std::vector<onnx::Value*> channel_inputs(Emit& e, const Tensor& input, const Optional& weight,
                                         const Optional& bias, const Optional& mean, const Optional& var) {
  const Shape channels{input.dim(1)};
  const DType dtype = mean ? mean->dtype() : input.dtype();
  return {input, given_or(e, weight, dtype, channels, 1), given_or(e, bias, dtype, channels, 0),
          given_or(e, mean, dtype, channels, 0), given_or(e, var, dtype, channels, 1)};
}

Tensor by_running_stats(Emit& e, const Tensor& input, const Optional& weight, const Optional& bias,
                        const Optional& mean, const Optional& var, double eps) {
  return e.op("BatchNormalization", channel_inputs(e, input, weight, bias, mean, var), with_epsilon(eps));
}

// old + momentum (new - old)
Tensor moved(Emit& e, const Tensor& old, onnx::Value* fresh, const Scalar& momentum) {
  onnx::Value* step = e.op("Sub", {e.cast(fresh, old.dtype()), old});
  return e.op("Add", {old, e.op("Mul", {step, scalar_like(e, old, momentum)})});
}

// The variance of a sample of n, of which `variance` is the mean square deviation.
onnx::Value* unbiased(Emit& e, onnx::Value* variance, const Dim& n) {
  const DType dtype = variance->dtype();
  onnx::Value *count = e.cast(e.dim(n), dtype), *less = e.cast(e.dim(n - 1), dtype);
  return e.op("Mul", {variance, e.op("Div", {count, less})});
}

Dim per_channel(Emit& e, const Tensor& input, std::int64_t first_axis) {
  Dim count(1);
  for (std::int64_t axis = first_axis; axis < input.rank(); ++axis)
    if (axis != 1) count = count * input.dim(axis);
  return e.simplify(count);
}

struct Normalised {
  Tensor result;
  onnx::Value* mean = nullptr;  // of each channel
  onnx::Value* variance = nullptr;
  onnx::Value* inverse_deviation = nullptr;
};

Normalised by_batch(Emit& e, const Tensor& input, const Optional& weight, const Optional& bias, double eps) {
  Ints axes;
  for (std::int64_t axis = 0; axis < input.rank(); ++axis)
    if (axis != 1) axes.push_back(axis);
  const Standardised out = standardised(e, input, axes, eps);
  const Shape channels{input.dim(1)};
  return {scaled_and_shifted(e, out.result, weight, bias), e.reshape(out.mean, channels),
          e.reshape(out.variance, channels), e.reshape(out.inverse_deviation, channels)};
}

// ONNX keeps the biased variance: its share in what it gives is scaled.
std::vector<Tensor> training_form(Emit& e, const Tensor& input, const Optional& weight, const Optional& bias,
                                  const Optional& mean, const Optional& var, double momentum, double eps) {
  onnx::Attributes attributes = with_epsilon(eps, {{"training_mode", std::int64_t{1}}});
  if (momentum != 0.1) attributes.push_back({"momentum", static_cast<float>(1 - momentum)});
  const std::vector<onnx::Value*> out =
      e.ops("BatchNormalization", channel_inputs(e, input, weight, bias, mean, var), attributes, 3);
  if (!mean || !var) return {out[0]};
  onnx::Value* kept = e.op("Mul", {*var, e.scalar(var->dtype(), 1 - momentum)});
  onnx::Value* share = unbiased(e, e.op("Sub", {out[2], kept}), per_channel(e, input, 0));
  return {out[0], out[1], e.op("Add", {kept, share})};
}

std::vector<Tensor> batch_norm(Emit& e, Tensor input, Optional weight, Optional bias, Optional running_mean,
                               Optional running_var, bool training, Scalar momentum, double eps, Ignored) {
  if (is_empty(e, input)) return {input};
  check(input, training, running_mean, running_var);
  if (!training) return {by_running_stats(e, input, weight, bias, running_mean, running_var, eps)};
  if (e.training() && momentum.known())
    return training_form(e, input, weight, bias, running_mean, running_var, *momentum.known(), eps);
  const Normalised out = by_batch(e, input, weight, bias, eps);
  if (!running_mean || !running_var) return {out.result};
  onnx::Value* variance = unbiased(e, out.variance, per_channel(e, input, 0));
  return {out.result, moved(e, *running_mean, out.mean, momentum),
          moved(e, *running_var, variance, momentum)};
}

std::vector<Tensor> native_batch_norm(Emit& e, Tensor input, Optional weight, Optional bias,
                                      Optional running_mean, Optional running_var, bool training,
                                      Scalar momentum, double eps) {
  check(input, training, running_mean, running_var);
  if (!training) {
    const Tensor none =
        e.constant(std::make_shared<onnx::Data>(input.dtype(), Ints{0}, std::vector<std::byte>()));
    return {by_running_stats(e, input, weight, bias, running_mean, running_var, eps), none, none};
  }
  const Normalised out = by_batch(e, input, weight, bias, eps);
  std::vector<Tensor> results{out.result, out.mean, out.inverse_deviation};
  if (running_mean && running_var) {
    onnx::Value* variance = unbiased(e, out.variance, per_channel(e, input, 0));
    results.push_back(moved(e, *running_mean, out.mean, momentum));
    results.push_back(moved(e, *running_var, variance, momentum));
  }
  return results;
}

Tensor by_instance(Emit& e, const Tensor& input, const Optional& weight, const Optional& bias,
                   const Standardised& stats, double eps) {
  if (input.dtype() == DType::f64) return scaled_and_shifted(e, stats.result, weight, bias);
  const Shape channels{input.dim(1)};
  return e.op(
      "InstanceNormalization",
      {input, given_or(e, weight, input.dtype(), channels, 1), given_or(e, bias, input.dtype(), channels, 0)},
      with_epsilon(eps));
}

std::vector<Tensor> instance_norm(Emit& e, Tensor input, Optional weight, Optional bias,
                                  Optional running_mean, Optional running_var, bool use_input_stats,
                                  Scalar momentum, double eps, Ignored) {
  check(input, use_input_stats, running_mean, running_var);
  if (!use_input_stats) return {by_running_stats(e, input, weight, bias, running_mean, running_var, eps)};
  Ints axes;
  for (std::int64_t axis = 2; axis < input.rank(); ++axis) axes.push_back(axis);
  const Standardised stats = standardised(e, input, axes, eps);
  const Tensor result = by_instance(e, input, weight, bias, stats, eps);
  if (!running_mean || !running_var) return {result};
  auto over_instances = [&](onnx::Value* each) {
    return e.op("ReduceMean", {e.reshape(each, {input.dim(0), input.dim(1)}), e.ints({0})},
                {{"keepdims", std::int64_t{0}}});
  };
  onnx::Value* variance = unbiased(e, over_instances(stats.variance), per_channel(e, input, 2));
  return {result, moved(e, *running_mean, over_instances(stats.mean), momentum),
          moved(e, *running_var, variance, momentum)};
}

constexpr Declaration kBatchNorm[] = {
    op<batch_norm>("aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!)? running_mean, "
                   "Tensor(b!)? running_var, bool training, float momentum, float eps, bool cudnn_enabled) "
                   "-> (Tensor, Tensor(a!), Tensor(b!))",
                   {.doc = "Normalises each channel by running statistics, or by the batch's in training.",
                    .sample = "input=f32[batch,6,height,width], weight=f32[6], bias=f32[6], "
                              "running_mean=f32[6], running_var=f32[6]",
                    .training = {.flag = "training", .matters_with = "running_mean"}}),
    op<native_batch_norm>("aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!)? "
                          "running_mean, Tensor(b!)? running_var, bool training, float momentum, float eps) "
                          "-> (Tensor, Tensor, Tensor, Tensor(a!), Tensor(b!))",
                          {.doc = "batch_norm with the statistics it used.",
                           .sample = "input=f32[batch,6,height,width], weight=f32[6], bias=f32[6], "
                                     "running_mean=f32[6], running_var=f32[6]",
                           .training = {.flag = "training", .matters_with = "running_mean"}}),
    op<instance_norm>("aten::instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!)? "
                      "running_mean, Tensor(b!)? running_var, bool use_input_stats, float momentum, float "
                      "eps, bool cudnn_enabled) -> (Tensor, Tensor(a!), Tensor(b!))",
                      {.doc = "Normalises each channel of each instance.",
                       .sample = "input=f32[batch,6,height,width], weight=f32[6], bias=f32[6], "
                                 "running_mean=None, running_var=None, use_input_stats=True",
                       .training = {.flag = "use_input_stats", .matters_with = "running_mean"}}),
};

}  // namespace

std::span<const Declaration> batch_norm_ops() { return kBatchNorm; }

}  // namespace cameo::aten
