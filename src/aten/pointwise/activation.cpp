// Activation functions and softmax.
#include <fmt/format.h>

#include <cmath>

#include "aten/elementwise.h"
#include "aten/families.h"

namespace cameo::aten {
namespace {

using onnx::Value;

Value* times(Emit& e, Value* x, double factor) {
  return factor == 1 ? x : e.op("Mul", {x, like(e, x, factor)});
}

onnx::Attributes unless_default(std::string name, double value, double otherwise) {
  if (static_cast<float>(value) == static_cast<float>(otherwise)) return {};
  return {{std::move(name), static_cast<float>(value)}};
}

Value* clip(Emit& e, Value* x, double min, double max) {
  return compute(e, "Clip", {x, like(e, x, min), like(e, x, max)});
}

Tensor relu(Emit& e, Tensor self) {
  if (self.dtype() == DType::boolean) throw ProgramError("booleans are not supported");
  if (is_floating(self.dtype()) || self.dtype() == DType::i32 || self.dtype() == DType::i8)
    return e.op("Relu", {self});
  return compute(e, "Clip", {self, like(e, self, 0)});
}

Tensor relu6(Emit& e, Tensor self) { return clip(e, self, 0, 6); }
Tensor hardtanh(Emit& e, Tensor self, Scalar min_val, Scalar max_val) {
  return compute(e, "Clip", {self, scalar_like(e, self, min_val), scalar_like(e, self, max_val)});
}

Tensor leaky_relu(Emit& e, Tensor self, Scalar negative_slope) {
  return e.op("LeakyRelu", {self},
              unless_default("alpha", known_number(negative_slope, "negative_slope"), 0.01));
}

// While training the slopes are drawn.
Tensor rrelu(Emit& e, Tensor self, Scalar lower, Scalar upper, bool training, Ignored) {
  const double low = known_number(lower, "lower"), high = known_number(upper, "upper");
  if (!training) return e.op("LeakyRelu", {self}, unless_default("alpha", (low + high) / 2, 0.01));
  Value* slopes = e.op("RandomUniformLike", {self},
                       {{"low", static_cast<float>(low)}, {"high", static_cast<float>(high)}});
  return e.op("Where", {e.op("Less", {self, like(e, self, 0)}), e.op("Mul", {self, slopes}), self});
}

// Slopes of channels stand before the dimensions that follow the channels.
Tensor prelu(Emit& e, Tensor self, Tensor weight) {
  if (weight.rank() == 0 || self.rank() <= 2 || weight.dim(0).as_constant() == 1)
    return e.op("PRelu",
                {self, e.reshape(weight, weight.rank() == 0 || self.rank() == 0 ? Shape{} : weight.shape())});
  Shape shape(static_cast<std::size_t>(self.rank() - 1), Dim(1));
  shape[0] = weight.dim(0);
  return e.op("PRelu", {self, e.reshape(weight, shape)});
}

// scale * x above 0, scale * alpha * (exp(input_scale * x) - 1) below.
Value* scaled_elu(Emit& e, Value* x, double alpha, double scale, double input_scale) {
  Value* below =
      times(e, e.op("Sub", {e.op("Exp", {times(e, x, input_scale)}), like(e, x, 1)}), alpha * scale);
  return e.op("Where", {e.op("Greater", {x, like(e, x, 0)}), times(e, x, scale), below});
}

Tensor elu(Emit& e, Tensor self, Scalar alpha, Scalar scale, Scalar input_scale) {
  const double a = known_number(alpha, "alpha"), s = known_number(scale, "scale"),
               i = known_number(input_scale, "input_scale");
  if (s == 1 && i == 1 && self.dtype() != DType::f64)
    return e.op("Elu", {self}, unless_default("alpha", a, 1));
  return scaled_elu(e, self, a, s, i);
}
Tensor selu(Emit& e, Tensor self) {
  if (self.dtype() != DType::f64) return e.op("Selu", {self});
  return scaled_elu(e, self, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1);
}
Tensor celu(Emit& e, Tensor self, Scalar alpha) {
  const double a = known_number(alpha, "alpha");
  if (a == 0) throw ProgramError("'alpha' must not be 0");
  if (self.dtype() == DType::f64) return scaled_elu(e, self, a, 1, 1 / a);
  return e.op("Celu", {self}, unless_default("alpha", a, 1));
}

Tensor gelu(Emit& e, Tensor self, std::string approximate) {
  if (approximate == "tanh") return e.op("Gelu", {self}, {{"approximate", std::string("tanh")}});
  if (approximate != "none") throw ProgramError("'approximate' must be 'none' or 'tanh'");
  if (self.dtype() != DType::f64) return e.op("Gelu", {self});
  Value* inner = compute(e, "Erf", {times(e, self, std::sqrt(0.5))});
  return e.op("Mul", {times(e, self, 0.5), e.op("Add", {inner, like(e, self, 1)})});
}

// Of f64, ONNX Runtime would make a fused operator of x sigmoid(x) that it does not have.
Tensor silu(Emit& e, Tensor self) {
  if (self.dtype() != DType::f64) return e.op("Swish", {self});
  return e.op("Div", {self, e.op("Add", {e.op("Exp", {e.op("Neg", {self})}), like(e, self, 1)})});
}
Tensor mish(Emit& e, Tensor self) {
  if (self.dtype() != DType::f64) return e.op("Mish", {self});
  return e.op("Mul", {self, e.op("Tanh", {softplus(e, self)})});
}

Tensor hardsigmoid(Emit& e, Tensor self) {
  if (self.dtype() != DType::f64) return e.op("HardSigmoid", {self}, {{"alpha", 1.0f / 6}});
  return clip(e, e.op("Add", {times(e, self, 1.0 / 6), like(e, self, 0.5)}), 0, 1);
}
Tensor hardswish(Emit& e, Tensor self) {
  if (self.dtype() != DType::f64) return e.op("HardSwish", {self});
  return e.op("Mul", {self, hardsigmoid(e, self)});
}

// Shrink holds its limit as f32.
Tensor hardshrink(Emit& e, Tensor self, Scalar lambd) {
  const double limit = known_number(lambd, "lambd");
  if (self.dtype() != DType::f64) return e.op("Shrink", {self}, unless_default("lambd", limit, 0.5));
  Value* within = e.op("And", {e.op("GreaterOrEqual", {self, like(e, self, -limit)}),
                               e.op("LessOrEqual", {self, like(e, self, limit)})});
  return e.op("Where", {within, like(e, self, 0), self});
}
Tensor softshrink(Emit& e, Tensor self, Scalar lambd) {
  const double limit = known_number(lambd, "lambd");
  if (limit < 0) throw ProgramError("'lambd' must not be negative");
  if (self.dtype() == DType::f64) return e.op("Sub", {self, clip(e, self, -limit, limit)});
  onnx::Attributes attributes = unless_default("lambd", limit, 0.5);
  attributes.push_back({"bias", static_cast<float>(limit)});
  return e.op("Shrink", {self}, attributes);
}

// Above the threshold x itself; where that is so high that nobody can tell the difference, it needs no node.
Tensor softplus_of(Emit& e, Tensor self, Scalar beta, Scalar threshold) {
  const double b = known_number(beta, "beta"), t = known_number(threshold, "threshold");
  Value* scaled = times(e, self, b);
  Value* soft = softplus(e, scaled);
  if (b != 1) soft = e.op("Div", {soft, like(e, self, b)});
  if (t >= 17) return soft;
  return e.op("Where", {e.op("Greater", {scaled, like(e, self, t)}), self, soft});
}

Tensor threshold(Emit& e, Tensor self, Scalar limit, Scalar value) {
  Value *at = scalar_like(e, self, limit), *low = scalar_like(e, self, value);
  if (at == low) return compute(e, "Clip", {self, at});
  return compute(e, "Where", {compute(e, "LessOrEqual", {self, at}), low, self});
}

Tensor glu(Emit& e, Tensor self, std::int64_t dim) {
  if (self.rank() == 0) throw ProgramError("the input must have at least one dimension");
  const std::int64_t axis = self.wrap(dim);
  const Dim half = sym::floordiv(self.dim(axis), 2);
  if (e.sym().equal(half * 2, self.dim(axis)) == sym::Truth::no)
    throw ProgramError(
        fmt::format("dimension {} must have an even size, not {}", axis, to_string(self.dim(axis))));
  e.sym().assume_divisible(self.dim(axis), 2);
  std::vector<Value*> halves = e.ops("Split", {self}, {{"axis", axis}, {"num_outputs", std::int64_t{2}}}, 2);
  return e.op("Mul", {halves[0], e.op("Sigmoid", {halves[1]})});
}

Tensor log_sigmoid(Emit& e, Tensor self) { return e.op("Neg", {softplus(e, e.op("Neg", {self}))}); }
std::vector<Tensor> log_sigmoid_forward(Emit& e, Tensor self) {
  return {log_sigmoid(e, self), e.op("Exp", {e.op("Neg", {e.op("Abs", {self})})})};
}

template <OpName kOp>
Tensor normalized(Emit& e, Tensor self, std::int64_t dim, std::optional<DType> dtype) {
  Value* x = e.cast(self, dtype.value_or(float_result(self.dtype())));
  const std::int64_t axis = self.wrap(dim);
  if (self.rank() > 0) return e.op(kOp.text, {x}, {{"axis", axis}});
  return e.reshape(e.op(kOp.text, {e.reshape(x, {1})}, {{"axis", axis}}), {});
}
template <OpName kOp>
Tensor normalized_as_is(Emit& e, Tensor self, std::int64_t dim, bool half_to_float) {
  return normalized<kOp>(e, self, dim, half_to_float ? std::optional(DType::f32) : std::nullopt);
}

constexpr Declaration kActivation[] = {
    op<relu>("aten::relu(Tensor self) -> Tensor", {.doc = "max(x, 0)."}),
    op<relu6>("aten::relu6(Tensor self) -> Tensor", {.doc = "x limited to [0, 6]."}),
    op<hardtanh>("aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
                 {.doc = "x limited to [min_val, max_val]."}),
    op<leaky_relu>("aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
                   {.doc = "x above 0, a fraction of x below."}),
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
             {.doc = "x times the normal distribution at x."}),
    op<silu>("aten::silu(Tensor self) -> Tensor", {.doc = "x sigmoid(x)."}),
    op<mish>("aten::mish(Tensor self) -> Tensor", {.doc = "x tanh(softplus(x))."}),
    op<hardsigmoid>("aten::hardsigmoid(Tensor self) -> Tensor", {.doc = "x / 6 + 1/2, limited to [0, 1]."}),
    op<hardswish>("aten::hardswish(Tensor self) -> Tensor", {.doc = "x hardsigmoid(x)."}),
    op<hardshrink>("aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
                   {.doc = "0 within [-lambd, lambd], x outside."}),
    op<softshrink>("aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
                   {.doc = "x moved by lambd towards 0."}),
    op<softplus_of>("aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
                    {.doc = "log(1 + exp(beta x)) / beta."}),
    op<threshold>("aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor",
                  {.doc = "x above the threshold, a value elsewhere."}),
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
