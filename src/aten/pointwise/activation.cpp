// Activation functions and softmax.
#include <fmt/core.h>

#include <cmath>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"

namespace cameo::aten {
namespace {

Expr times(Expr x, double factor) { return factor == 1 ? x : x * factor; }

onnx::Attributes unless_default(std::string name, double value, double otherwise) {
  if (static_cast<float>(value) == static_cast<float>(otherwise)) return {};
  return {{std::move(name), static_cast<float>(value)}};
}

Expr relu(Emit& e, Expr self) {
  if (self.dtype() == DType::boolean) throw ProgramError("booleans are not supported");
  if (is_floating(self.dtype()) || self.dtype() == DType::i32 || self.dtype() == DType::i8) return relu(self);
  return compute(e, "Clip", {self, self.number(0)});
}

Expr relu6(Emit&, Expr self) { return clip(self, 0, 6); }
Expr hardtanh(Emit&, Expr self, Scalar min_val, Scalar max_val) {
  return clip(self, scalar_like(self, min_val), scalar_like(self, max_val));
}

Expr leaky_relu(Emit& e, Expr self, Scalar negative_slope) {
  return e.op("LeakyRelu", {self},
              unless_default("alpha", known_number(negative_slope, "negative_slope"), 0.01));
}

// While training the slopes are drawn.
Expr rrelu(Emit& e, Expr self, Scalar lower, Scalar upper, bool training, Ignored) {
  const double low = known_number(lower, "lower"), high = known_number(upper, "upper");
  if (!training) return e.op("LeakyRelu", {self}, unless_default("alpha", (low + high) / 2, 0.01));
  const Expr slopes = e.op("RandomUniformLike", {self},
                           {{"low", static_cast<float>(low)}, {"high", static_cast<float>(high)}});
  return where(self < 0, self * slopes, self);
}

// rrelu with the slope of each element; 1 where it is not negative. Without training the noise stays.
std::vector<Expr> rrelu_with_noise(Emit& e, Expr self, Expr noise, Scalar lower, Scalar upper, bool training,
                                   Ignored) {
  if (!training) return {rrelu(e, self, lower, upper, false, {}), noise};
  const double low = known_number(lower, "lower"), high = known_number(upper, "upper");
  const Expr drawn = e.op("RandomUniformLike", {self},
                          {{"low", static_cast<float>(low)}, {"high", static_cast<float>(high)}});
  const Expr slopes = where(self <= 0, drawn, 1);
  return {self * slopes, slopes};
}

// Slopes of channels stand before the dimensions that follow the channels.
Expr prelu(Emit& e, Expr self, Expr weight) {
  if (weight.rank() == 0 || self.rank() <= 2 || weight.dim(0).as_constant() == 1)
    return e.op("PRelu",
                {self, reshape(weight, weight.rank() == 0 || self.rank() == 0 ? Shape{} : weight.shape())});
  Shape shape(as_size(self.rank() - 1), Dim(1));
  shape[0] = weight.dim(0);
  return e.op("PRelu", {self, reshape(weight, shape)});
}

// Slopes in a shape that broadcasts.
Expr prelu_kernel(Emit& e, Expr self, Expr weight) { return e.op("PRelu", {self, weight}); }

// scale * x above 0, scale * alpha * (exp(input_scale * x) - 1) below.
Expr scaled_elu(Expr x, double alpha, double scale, double input_scale) {
  const Expr below = times(exp(times(x, input_scale)) - 1, alpha * scale);
  return where(x > 0, times(x, scale), below);
}

Expr elu(Emit& e, Expr self, Scalar alpha, Scalar scale, Scalar input_scale) {
  const double a = known_number(alpha, "alpha"), s = known_number(scale, "scale"),
               i = known_number(input_scale, "input_scale");
  if (s == 1 && i == 1 && self.dtype() != DType::f64)
    return e.op("Elu", {self}, unless_default("alpha", a, 1));
  return scaled_elu(self, a, s, i);
}
Expr selu(Emit& e, Expr self) {
  if (self.dtype() != DType::f64) return e.op("Selu", {self});
  return scaled_elu(self, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1);
}
Expr celu(Emit& e, Expr self, Scalar alpha) {
  const double a = known_number(alpha, "alpha");
  if (a == 0) throw ProgramError("'alpha' must not be 0");
  if (self.dtype() == DType::f64) return scaled_elu(self, a, 1, 1 / a);
  return e.op("Celu", {self}, unless_default("alpha", a, 1));
}

Expr gelu(Emit& e, Expr self, std::string approximate) {
  if (approximate == "tanh") return e.op("Gelu", {self}, {{"approximate", std::string("tanh")}});
  if (approximate != "none") throw ProgramError("'approximate' must be 'none' or 'tanh'");
  if (self.dtype() != DType::f64) return e.op("Gelu", {self});
  const Expr inner = compute(e, "Erf", {times(self, std::sqrt(0.5))});
  return times(self, 0.5) * (inner + 1);
}

// Of f64, ONNX Runtime would make a fused operator of x sigmoid(x) that it does not have.
Expr silu(Emit& e, Expr self) {
  if (self.dtype() != DType::f64) return e.op("Swish", {self});
  return self / (exp(-self) + 1);
}
Expr mish(Emit& e, Expr self) {
  if (self.dtype() != DType::f64) return e.op("Mish", {self});
  return self * tanh(softplus(self));
}

Expr hardsigmoid(Emit& e, Expr self) {
  if (self.dtype() != DType::f64) return e.op("HardSigmoid", {self}, {{"alpha", 1.0f / 6}});
  return clip(times(self, 1.0 / 6) + 0.5, 0, 1);
}
Expr hardswish(Emit& e, Expr self) {
  if (self.dtype() != DType::f64) return e.op("HardSwish", {self});
  return self * hardsigmoid(e, self);
}

// Shrink holds its limit as f32.
Expr hardshrink(Emit& e, Expr self, Scalar lambd) {
  const double limit = known_number(lambd, "lambd");
  if (self.dtype() != DType::f64) return e.op("Shrink", {self}, unless_default("lambd", limit, 0.5));
  const Expr within = self >= -limit && self <= limit;
  return where(within, 0, self);
}
Expr softshrink(Emit& e, Expr self, Scalar lambd) {
  const double limit = known_number(lambd, "lambd");
  if (limit < 0) throw ProgramError("'lambd' must not be negative");
  if (self.dtype() == DType::f64) return self - clip(self, -limit, limit);
  onnx::Attributes attributes = unless_default("lambd", limit, 0.5);
  attributes.push_back({"bias", static_cast<float>(limit)});
  return e.op("Shrink", {self}, attributes);
}

// Above the threshold x itself; where that is so high that nobody can tell the difference, it needs no node.
Expr softplus_of(Emit&, Expr self, Scalar beta, Scalar threshold) {
  const double b = known_number(beta, "beta"), t = known_number(threshold, "threshold");
  const Expr scaled = times(self, b);
  Expr soft = softplus(scaled);
  if (b != 1) soft = soft / b;
  if (t >= 17) return soft;
  return where(scaled > t, self, soft);
}

Expr threshold(Emit& e, Expr self, Scalar limit, Scalar value) {
  const Expr at = scalar_like(self, limit), low = scalar_like(self, value);
  if (at.value == low.value) return compute(e, "Clip", {self, at});
  return where(self <= at, low, self);
}

Expr glu(Emit& e, Expr self, std::int64_t dim) {
  if (self.rank() == 0) throw ProgramError("the input must have at least one dimension");
  const std::int64_t axis = self.wrap(dim);
  const Dim half = sym::floordiv(self.dim(axis), 2);
  if (e.sym().equal(half * 2, self.dim(axis)) == sym::Truth::no)
    throw ProgramError(
        fmt::format("dimension {} must have an even size, not {}", axis, to_string(self.dim(axis))));
  e.sym().assume_divisible(self.dim(axis), 2);
  std::vector<Expr> halves = ops(e, "Split", {self}, {{"axis", axis}, {"num_outputs", std::int64_t{2}}}, 2);
  return halves[0] * sigmoid(halves[1]);
}

Expr log_sigmoid(Emit&, Expr self) { return -softplus(-self); }
std::vector<Expr> log_sigmoid_forward(Emit& e, Expr self) { return {log_sigmoid(e, self), exp(-abs(self))}; }

template <OpName kOp>
Expr normalized(Emit& e, Expr self, std::int64_t dim, std::optional<DType> dtype) {
  const Expr x = cast(self, dtype.value_or(float_result(self.dtype())));
  const std::int64_t axis = self.wrap(dim);
  if (self.rank() > 0) return e.op(kOp.text, {x}, {{"axis", axis}});
  return reshape(e.op(kOp.text, {reshape(x, {1})}, {{"axis", axis}}), {});
}
template <OpName kOp>
Expr normalized_as_is(Emit& e, Expr self, std::int64_t dim, bool half_to_float) {
  return normalized<kOp>(e, self, dim, half_to_float ? std::optional(DType::f32) : std::nullopt);
}

// 0 along a dimension of which all elements are -inf.
Expr safe_softmax(Emit& e, Expr self, std::int64_t dim, std::optional<DType> dtype) {
  const Expr x = cast(self, dtype.value_or(self.dtype()));
  const Expr weights = normalized<"Softmax">(e, x, dim, std::nullopt);
  if (x.rank() == 0) return where(equal(x, -kInfinity), 0, weights);
  const Expr any = reduce_max(x, {x.wrap(dim)}, true) > -kInfinity;
  return where(any, weights, 0);
}

// grad y - y sum(grad y), for y = softmax(x).
Expr softmax_backward(Emit&, Expr grad, Expr output, std::int64_t dim, DType input_dtype) {
  const Expr product = grad * output;
  const Expr sum = output.rank() == 0 ? product : reduce_sum(product, {output.wrap(dim)}, true);
  return cast(product - output * sum, input_dtype);
}
// grad - exp(y) sum(grad), for y = log_softmax(x).
Expr log_softmax_backward(Emit&, Expr grad, Expr output, std::int64_t dim, DType input_dtype) {
  const Expr sum = output.rank() == 0 ? grad : reduce_sum(grad, {output.wrap(dim)}, true);
  return cast(grad - exp(output) * sum, input_dtype);
}

constexpr Declaration kActivation[] = {
    op<softmax_backward>(
        "aten::_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType "
        "input_dtype) -> Tensor",
        {.doc = "The gradient of softmax.", .sample = "input_dtype=6"}),
    op<log_softmax_backward>("aten::_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, "
                             "ScalarType input_dtype) -> Tensor",
                             {.doc = "The gradient of log_softmax.", .sample = "input_dtype=6"}),
    op<safe_softmax>("aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
                     {.doc = "softmax; 0 where all elements of the dimension are -inf."}),
    op<prelu_kernel>("aten::_prelu_kernel(Tensor self, Tensor weight) -> Tensor",
                     {.doc = "x above 0, weight x below.", .sample = "weight=f32[6,1,1]"}),
    op<rrelu_with_noise>(
        "aten::rrelu_with_noise(Tensor self, Tensor(a!) noise, Scalar lower=0.125, Scalar "
        "upper=0.3333333333333333, bool training=False, Generator? generator=None) -> (Tensor, Tensor(a!))",
        {.doc = "x above 0, a random multiple of it below; the mean one outside of training.",
         .training = {.flag = "training", .matters_with = "upper"}}),
    op<rrelu_with_noise>(
        "aten::rrelu_with_noise_functional(Tensor self, Tensor noise, Scalar lower=0.125, Scalar "
        "upper=0.3333333333333333, bool training=False, Generator? generator=None) -> (Tensor, Tensor)",
        {.doc = "x above 0, a random multiple of it below; and the multiples.",
         .training = {.flag = "training", .matters_with = "upper"}}),
    op<relu>("aten::relu(Tensor self) -> Tensor",
             {.doc = "max(x, 0).", .quantized = OnQuantized::requantized}),
    op<relu6>("aten::relu6(Tensor self) -> Tensor",
              {.doc = "x limited to [0, 6].", .quantized = OnQuantized::requantized}),
    op<hardtanh>("aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
                 {.doc = "x limited to [min_val, max_val].", .quantized = OnQuantized::requantized}),
    op<leaky_relu>("aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
                   {.doc = "x above 0, a fraction of x below.", .quantized = OnQuantized::requantized}),
    op<rrelu>(
        "aten::rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool "
        "training=False, Generator? generator=None) -> Tensor",
        {.doc = "x above 0, below it x times the mean of the slopes; in training, times drawn slopes."}),
    op<prelu>("aten::prelu(Tensor self, Tensor weight) -> Tensor",
              {.doc = "x above 0, below it x times one slope or each channel's.",
               .sample = "self=f32[batch,6,height,width], weight=f32[6]"}),
    op<elu>("aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
            {.doc = "x above 0, alpha (exp(x) - 1) below."}),
    op<selu>("aten::selu(Tensor self) -> Tensor", {.doc = "The ELU that normalises itself."}),
    op<celu>("aten::celu(Tensor self, Scalar alpha=1.0) -> Tensor",
             {.doc = "x above 0, alpha (exp(x / alpha) - 1) below."}),
    op<gelu>("aten::gelu(Tensor self, *, str approximate='none') -> Tensor",
             {.doc = "x times the normal distribution at x.", .quantized = OnQuantized::requantized}),
    op<silu>("aten::silu(Tensor self) -> Tensor", {.doc = "x sigmoid(x)."}),
    op<mish>("aten::mish(Tensor self) -> Tensor", {.doc = "x tanh(softplus(x))."}),
    op<hardsigmoid>("aten::hardsigmoid(Tensor self) -> Tensor",
                    {.doc = "x / 6 + 1/2, limited to [0, 1].", .quantized = OnQuantized::unit}),
    op<hardswish>("aten::hardswish(Tensor self) -> Tensor", {.doc = "x hardsigmoid(x)."}),
    op<hardshrink>("aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
                   {.doc = "0 within [-lambd, lambd], x outside."}),
    op<softshrink>("aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
                   {.doc = "x moved by lambd towards 0."}),
    op<softplus_of>("aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
                    {.doc = "log(1 + exp(beta x)) / beta."}),
    op<threshold>(
        "aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor",
        {.doc = "x above the threshold, a value elsewhere.", .quantized = OnQuantized::requantized}),
    op<glu>("aten::glu(Tensor self, int dim=-1) -> Tensor",
            {.doc = "One half times the sigmoid of the other."}),
    op<log_sigmoid>("aten::log_sigmoid(Tensor self) -> Tensor", {.doc = "log(sigmoid(x))."}),
    op<log_sigmoid_forward>("aten::log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)",
                            {.doc = "log(sigmoid(x)), and what its gradient needs."}),
    op<normalized<"Softmax">>(
        "aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
        {.doc = "exp(x) over its sum along a dimension.", .aliases = {"aten::special_softmax"}}),
    op<normalized_as_is<"Softmax">>("aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
                                    {.doc = "exp(x) over its sum along a dimension."}),
    op<normalized<"LogSoftmax">>(
        "aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
        {.doc = "log(softmax(x))."}),
    op<normalized<"LogSoftmax">>(
        "aten::special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
        {.doc = "log(softmax(x))."}),
    op<normalized_as_is<"LogSoftmax">>(
        "aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
        {.doc = "log(softmax(x))."}),
};

}  // namespace

std::span<const Declaration> activation_ops() { return kActivation; }

}  // namespace cameo::aten
