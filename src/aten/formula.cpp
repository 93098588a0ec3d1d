#include "aten/formula.h"

#include "aten/elementwise.h"

namespace cameo::aten {
namespace {

Expr apply(std::string_view op, const Expr& x) { return compute(*x.e, op, {x}); }

}  // namespace

Expr Expr::number(double constant) const { return e->scalar(dtype(), constant); }
Expr Expr::number(std::int64_t constant) const { return e->scalar(dtype(), constant); }
Expr Expr::number(const Dim& size) const { return e->cast(e->dim(size), dtype()); }

Expr compute(Emit& e, std::string_view op, std::vector<onnx::Value*> inputs, onnx::Attributes attributes) {
  const DType dtype = inputs[op == "Where" ? 1 : 0]->dtype();
  const DType inside = implemented(op, dtype);
  if (inside == dtype) return e.op(op, std::move(inputs), std::move(attributes));
  for (std::size_t i = op == "Where" ? 1 : 0; i < inputs.size(); ++i)
    if (inputs[i] && inputs[i]->dtype() == dtype) inputs[i] = e.cast(inputs[i], inside);
  const Expr result = e.op(op, std::move(inputs), std::move(attributes));
  return result.dtype() == inside ? cast(result, dtype) : result;
}

std::vector<Expr> ops(Emit& e, std::string_view op, std::vector<onnx::Value*> inputs,
                      onnx::Attributes attributes, std::size_t outputs) {
  std::vector<Expr> results;
  for (onnx::Value* value : e.ops(op, std::move(inputs), std::move(attributes), outputs))
    results.emplace_back(e, value);
  return results;
}

Expr binary(std::string_view op, const Expr& a, const Expr& b) { return compute(*a.e, op, {a, b}); }

Expr operator-(const Expr& x) { return apply("Neg", x); }
Expr operator!(const Expr& condition) { return apply("Not", condition); }
Expr operator&&(const Expr& a, const Expr& b) { return binary("And", a, b); }
Expr operator||(const Expr& a, const Expr& b) { return binary("Or", a, b); }
Expr exclusive_or(const Expr& a, const Expr& b) { return binary("Xor", a, b); }

Expr maximum(const Expr& a, const Expr& b) {
  return binary(a.dtype() == DType::boolean ? "Or" : "Max", a, b);
}
Expr minimum(const Expr& a, const Expr& b) {
  return binary(a.dtype() == DType::boolean ? "And" : "Min", a, b);
}

Expr where(const Expr& condition, const Expr& yes, const Expr& no) {
  return compute(*yes.e, "Where", {condition, yes, no});
}

Expr abs(const Expr& x) { return apply("Abs", x); }
Expr ceil(const Expr& x) { return apply("Ceil", x); }
Expr cos(const Expr& x) { return apply("Cos", x); }
Expr exp(const Expr& x) { return apply("Exp", x); }
Expr floor(const Expr& x) { return apply("Floor", x); }
Expr is_inf(const Expr& x) { return apply("IsInf", x); }
Expr is_nan(const Expr& x) { return apply("IsNaN", x); }
Expr log(const Expr& x) { return apply("Log", x); }
Expr reciprocal(const Expr& x) { return apply("Reciprocal", x); }
Expr relu(const Expr& x) { return apply("Relu", x); }
Expr round(const Expr& x) { return apply("Round", x); }
Expr sigmoid(const Expr& x) { return apply("Sigmoid", x); }
Expr sign(const Expr& x) { return apply("Sign", x); }
Expr sin(const Expr& x) { return apply("Sin", x); }
Expr sqrt(const Expr& x) { return apply("Sqrt", x); }
Expr tanh(const Expr& x) { return apply("Tanh", x); }

Expr log1p(const Expr& x) {
  const Expr sum = 1 + x, rounded = sum - 1;
  const Expr near = where(equal(rounded, 0), x, log(sum) * (x / rounded));
  return where(abs(x) < 0.5, near, log(sum));
}

Expr fmod(const Expr& a, const Expr& b) { return compute(*a.e, "Mod", {a, b}, {{"fmod", std::int64_t{1}}}); }
Expr clip(const Expr& x, const Expr& least, const Expr& most) {
  return compute(*x.e, "Clip", {x, least, most});
}
Expr clip(const Expr& x, double least, double most) { return clip(x, x.number(least), x.number(most)); }
Expr matmul(const Expr& a, const Expr& b) { return binary("MatMul", a, b); }

Expr polynomial(const Expr& x, std::span<const double> coefficients) {
  Expr sum = x.number(coefficients.back());
  for (std::size_t i = coefficients.size() - 1; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

Expr cast(const Expr& x, DType dtype) { return x.e->cast(x, dtype); }
Expr cast_like(const Expr& x, const Expr& like) { return cast(x, like.dtype()); }
Expr concat(const std::vector<Expr>& xs, std::int64_t axis) {
  return xs.front().e->concat({xs.begin(), xs.end()}, axis);
}
Expr expand(const Expr& x, const Shape& shape) { return x.e->expand(x, shape); }
Expr gather(const Expr& x, const Expr& indices, std::int64_t axis) { return x.e->gather(x, indices, axis); }
Expr gather_elements(const Expr& x, const Expr& indices, std::int64_t axis) {
  return x.e->op("GatherElements", {x, indices}, {{"axis", axis}});
}
Expr reshape(const Expr& x, const Shape& shape) { return x.e->reshape(x, shape); }
Expr slice(const Expr& x, std::int64_t axis, const Dim& start, const Dim& end, std::int64_t step) {
  return x.e->slice(x, axis, start, end, step);
}
Expr squeeze(const Expr& x, Axes axes) { return x.e->squeeze(x, std::move(axes)); }
Expr transpose(const Expr& x, Axes perm) { return x.e->transpose(x, std::move(perm)); }
Expr unsqueeze(const Expr& x, Axes axes) { return x.e->unsqueeze(x, std::move(axes)); }
Expr cumulative_sum(const Expr& x, std::int64_t axis) { return compute(*x.e, "CumSum", {x, x.e->dim(axis)}); }

Expr in_f64(const Expr& self, Expr (*function)(Expr)) {
  const Expr x = floats(self);
  return cast(function(cast(x, DType::f64)), x.dtype());
}

}  // namespace cameo::aten
