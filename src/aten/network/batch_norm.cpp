// Normalisation of channels over a batch or an instance, and the running statistics that training keeps.
#include "aten/families.h"
#include "aten/network/normalization.h"

namespace cameo::aten {
namespace {

// Without elements there is nothing to normalise, for any rank.
bool is_empty(const Expr& input) { return input.shape().product().as_constant() == 0; }

void check(const Expr& input, bool by_input, const Optional& mean, const Optional& var) {
  check_floating(input);
  if (input.rank() < 2) throw ProgramError("the input must have at least two dimensions");
  if (!by_input && (!mean || !var)) throw ProgramError("running statistics must be given in evaluation mode");
}

std::vector<onnx::Value*> channel_inputs(const Expr& input, const Optional& weight, const Optional& bias,
                                         const Optional& mean, const Optional& var) {
  const Shape channels{input.dim(1)};
  const DType dtype = mean ? mean->dtype() : input.dtype();
  return {input, given_or(*input.e, weight, dtype, channels, 1), given_or(*input.e, bias, dtype, channels, 0),
          given_or(*input.e, mean, dtype, channels, 0), given_or(*input.e, var, dtype, channels, 1)};
}

Expr by_running_stats(Emit& e, const Expr& input, const Optional& weight, const Optional& bias,
                      const Optional& mean, const Optional& var, double eps) {
  return e.op("BatchNormalization", channel_inputs(input, weight, bias, mean, var), with_epsilon(eps));
}

// old + momentum (new - old)
Expr moved(const Expr& old, Expr fresh, const Scalar& momentum) {
  const Expr step = cast(fresh, old.dtype()) - old;
  return old + step * scalar_like(old, momentum);
}

// The variance of a sample of n, of which `variance` is the mean square deviation.
Expr unbiased(Emit& e, Expr variance, const Dim& n) {
  const DType dtype = variance->dtype();
  const Expr count = e.cast(e.dim(n), dtype), less = e.cast(e.dim(n - 1), dtype);
  return variance * (count / less);
}

Dim per_channel(Emit& e, const Expr& input, std::int64_t first_axis) {
  Dim count(1);
  for (std::int64_t axis = first_axis; axis < input.rank(); ++axis)
    if (axis != 1) count = count * input.dim(axis);
  return e.simplify(count);
}

struct Normalised {
  Expr result;
  Expr mean = nullptr;  // of each channel
  Expr variance = nullptr;
  Expr inverse_deviation = nullptr;
};

Normalised by_batch(Emit& e, const Expr& input, const Optional& weight, const Optional& bias, double eps) {
  Ints axes;
  for (std::int64_t axis = 0; axis < input.rank(); ++axis)
    if (axis != 1) axes.push_back(axis);
  const Standardised out = standardised(e, input, axes, eps);
  const Shape channels{input.dim(1)};
  return {scaled_and_shifted(out.result, weight, bias), reshape(out.mean, channels),
          reshape(out.variance, channels), reshape(out.inverse_deviation, channels)};
}

// Numbers as a layer has them before training. ONNX Runtime stores small equal constants once, and in training mode
// BatchNormalization writes to its statistics: numbers that are also a weight would change with each run.
bool may_be_shared(const Optional& statistics) {
  constexpr std::int64_t kSmall = 64;
  const onnx::DataPtr data = statistics ? statistics->value->data : nullptr;
  if (!data || data->numel() > kSmall) return false;
  for (std::int64_t i = 1; i < data->numel(); ++i)
    if (data->real(i) != data->real(0)) return false;
  return true;
}

// ONNX keeps the biased variance: its share in what it gives is scaled.
std::vector<Expr> training_form(Emit& e, const Expr& input, const Optional& weight, const Optional& bias,
                                const Optional& mean, const Optional& var, double momentum, double eps) {
  onnx::Attributes attributes = with_epsilon(eps, {{"training_mode", std::int64_t{1}}});
  if (momentum != 0.1) attributes.push_back({"momentum", static_cast<float>(1 - momentum)});
  const std::vector<Expr> out =
      ops(e, "BatchNormalization", channel_inputs(input, weight, bias, mean, var), attributes, 3);
  if (!mean || !var) return {out[0]};
  const Expr kept = *var * (1 - momentum);
  const Expr share = unbiased(e, out[2] - kept, per_channel(e, input, 0));
  return {out[0], out[1], kept + share};
}

std::vector<Expr> batch_norm(Emit& e, Expr input, Optional weight, Optional bias, Optional running_mean,
                             Optional running_var, bool training, Scalar momentum, double eps, Ignored) {
  if (is_empty(input)) return {input};
  check(input, training, running_mean, running_var);
  if (!training) return {by_running_stats(e, input, weight, bias, running_mean, running_var, eps)};
  if (e.training() && momentum.known() && !may_be_shared(running_mean) && !may_be_shared(running_var))
    return training_form(e, input, weight, bias, running_mean, running_var, *momentum.known(), eps);
  const Normalised out = by_batch(e, input, weight, bias, eps);
  if (!running_mean || !running_var) return {out.result};
  const Expr variance = unbiased(e, out.variance, per_channel(e, input, 0));
  return {out.result, moved(*running_mean, out.mean, momentum), moved(*running_var, variance, momentum)};
}

Expr no_elements(Emit& e, DType dtype) {
  return e.constant(std::make_shared<onnx::Data>(dtype, Ints{0}, std::vector<std::byte>()));
}

std::vector<Expr> native_batch_norm(Emit& e, Expr input, Optional weight, Optional bias,
                                    Optional running_mean, Optional running_var, bool training,
                                    Scalar momentum, double eps) {
  check(input, training, running_mean, running_var);
  if (!training) {
    const Expr none = no_elements(e, input.dtype());
    return {by_running_stats(e, input, weight, bias, running_mean, running_var, eps), none, none};
  }
  const Normalised out = by_batch(e, input, weight, bias, eps);
  std::vector<Expr> results{out.result, out.mean, out.inverse_deviation};
  if (running_mean && running_var) {
    const Expr variance = unbiased(e, out.variance, per_channel(e, input, 0));
    results.push_back(moved(*running_mean, out.mean, momentum));
    results.push_back(moved(*running_var, variance, momentum));
  }
  return results;
}

// With running statistics that the call updates in training.
std::vector<Expr> with_running_stats(Emit& e, Expr input, Optional weight, Optional bias, Expr running_mean,
                                     Expr running_var, bool training, Scalar momentum, double eps) {
  return native_batch_norm(e, input, weight, bias, running_mean, running_var, training, momentum, eps);
}
// The updated statistics are results, also if they are the old ones.
std::vector<Expr> functional_batch_norm(Emit& e, Expr input, Optional weight, Optional bias,
                                        Expr running_mean, Expr running_var, bool training, Scalar momentum,
                                        double eps) {
  std::vector<Expr> results =
      with_running_stats(e, input, weight, bias, running_mean, running_var, training, momentum, eps);
  if (!training) results.insert(results.end(), {running_mean, running_var});
  return results;
}
std::vector<Expr> without_running_stats(Emit& e, Expr input, Optional weight, Optional bias, bool training,
                                        Scalar momentum, double eps) {
  return native_batch_norm(e, input, weight, bias, std::nullopt, std::nullopt, training, momentum, eps);
}
std::vector<Expr> batch_norm_no_training(Emit& e, Expr input, Optional weight, Optional bias,
                                         Expr running_mean, Expr running_var, Scalar momentum, double eps) {
  return native_batch_norm(e, input, weight, bias, running_mean, running_var, false, momentum, eps);
}

// The fourth result is memory of a backend.
std::vector<Expr> batch_norm_with_update(Emit& e, Expr input, Optional weight, Optional bias,
                                         Expr running_mean, Expr running_var, Scalar momentum, double eps) {
  std::vector<Expr> results =
      native_batch_norm(e, input, weight, bias, running_mean, running_var, true, momentum, eps);
  results.insert(results.begin() + 3, no_elements(e, DType::u8));
  return results;
}
std::vector<Expr> batch_norm_no_update(Emit& e, Expr input, Optional weight, Optional bias,
                                       Optional running_mean, Optional running_var, Scalar momentum,
                                       double eps) {
  std::vector<Expr> results =
      native_batch_norm(e, input, weight, bias, running_mean, running_var, false, momentum, eps);
  results.push_back(no_elements(e, DType::u8));
  return results;
}

Expr by_instance(Emit& e, const Expr& input, const Optional& weight, const Optional& bias,
                 const Standardised& stats, double eps) {
  if (input.dtype() == DType::f64) return scaled_and_shifted(stats.result, weight, bias);
  const Shape channels{input.dim(1)};
  return e.op("InstanceNormalization",
              {input, given_or(*input.e, weight, input.dtype(), channels, 1),
               given_or(*input.e, bias, input.dtype(), channels, 0)},
              with_epsilon(eps));
}

std::vector<Expr> instance_norm(Emit& e, Expr input, Optional weight, Optional bias, Optional running_mean,
                                Optional running_var, bool use_input_stats, Scalar momentum, double eps,
                                Ignored) {
  check(input, use_input_stats, running_mean, running_var);
  if (!use_input_stats) return {by_running_stats(e, input, weight, bias, running_mean, running_var, eps)};
  Ints axes;
  for (std::int64_t axis = 2; axis < input.rank(); ++axis) axes.push_back(axis);
  const Standardised stats = standardised(e, input, axes, eps);
  const Expr result = by_instance(e, input, weight, bias, stats, eps);
  if (!running_mean || !running_var) return {result};
  auto over_instances = [&](Expr each) {
    return e.op("ReduceMean", {reshape(each, {input.dim(0), input.dim(1)}), e.ints({0})},
                {{"keepdims", std::int64_t{0}}});
  };
  const Expr variance = unbiased(e, over_instances(stats.variance), per_channel(e, input, 2));
  return {result, moved(*running_mean, over_instances(stats.mean), momentum),
          moved(*running_var, variance, momentum)};
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
    op<with_running_stats>(
        "aten::_native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, "
        "Tensor(b!) running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor, "
        "Tensor(a!), Tensor(b!))",
        {.doc = "batch_norm with the statistics it used.",
         .sample = "input=f32[batch,6,height,width], weight=f32[6], bias=f32[6], running_mean=f32[6], "
                   "running_var=f32[6]",
         .training = {.flag = "training", .matters_with = "running_mean"}}),
    op<without_running_stats>(
        "aten::_native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, bool training, "
        "float momentum, float eps) -> (Tensor, Tensor, Tensor)",
        {.doc = "Normalises each channel by the statistics of the batch.",
         .sample = "input=f32[batch,6,height,width], weight=f32[6], bias=f32[6], training=True"}),
    op<functional_batch_norm>(
        "aten::_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor "
        "running_mean, Tensor running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, "
        "Tensor, Tensor, Tensor)",
        {.doc = "batch_norm with the statistics it used and the updated ones.",
         .sample = "input=f32[batch,6,height,width], weight=f32[6], bias=f32[6], running_mean=f32[6], "
                   "running_var=f32[6]",
         .training = {.flag = "training", .matters_with = "running_mean"}}),
    op<batch_norm_no_training>(
        "aten::_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, Tensor "
        "running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
        {.doc = "Normalises each channel by running statistics.",
         .sample = "input=f32[batch,6,height,width], weight=f32[6], bias=f32[6], running_mean=f32[6], "
                   "running_var=f32[6]"}),
    op<batch_norm_with_update>(
        "aten::_batch_norm_with_update(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, "
        "Tensor(b!) running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor, Tensor(a!), "
        "Tensor(b!))",
        {.doc = "Normalises each channel by the statistics of the batch, and updates the running ones.",
         .sample = "input=f32[batch,6,height,width], weight=f32[6], bias=f32[6], running_mean=f32[6], "
                   "running_var=f32[6]"}),
    op<batch_norm_with_update>(
        "aten::_batch_norm_with_update_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor "
        "running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor, "
        "Tensor, Tensor)",
        {.doc = "Normalises each channel by the statistics of the batch; the last results are the updated "
                "running ones.",
         .sample = "input=f32[batch,6,height,width], weight=f32[6], bias=f32[6], running_mean=f32[6], "
                   "running_var=f32[6]"}),
    op<batch_norm_no_update>(
        "aten::_batch_norm_no_update(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
        "Tensor? running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor)",
        {.doc = "Normalises each channel by running statistics.",
         .sample = "input=f32[batch,6,height,width], weight=f32[6], bias=f32[6], running_mean=f32[6], "
                   "running_var=f32[6]"}),
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
