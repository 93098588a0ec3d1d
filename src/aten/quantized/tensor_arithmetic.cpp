// Sums, products and concatenation of quantised tensors.
#include <algorithm>
#include <cmath>

#include "aten/families.h"
#include "aten/quantization.h"
#include "aten/quantized/calls.h"

namespace cameo::aten {
namespace quantized_arithmetic {
namespace {

using namespace quantized_ops;

enum class Binary { add, mul, matmul };

Expr compute(Emit& e, Binary kind, const Tensor& a, const Tensor& b) {
  const Expr x = dequantized(e, a), y = dequantized(e, b);
  if (kind == Binary::matmul) return call(e, "aten::matmul", {arg(x), arg(y)});
  return kind == Binary::add ? x + y : x * y;
}

template <Binary kKind, bool kRelu>
Tensor binary(Emit& e, Tensor a, Tensor b, double scale, std::int64_t zero_point) {
  check_quantized(a, "qa");
  check_quantized(b, "qb");
  const Expr y = compute(e, kKind, a, b);
  return kRelu ? relu_output(e, y, {scale, zero_point}, a) : output(e, y, {scale, zero_point}, a);
}

// The known parameters of a tensor with one scale.
struct Known {
  double scale;
  std::int64_t zero_point;
};
Known known_parameters(const Tensor& x) {
  check_quantized(x, "qa");
  const Quantizer& q = *x.quantizer;
  if (q.axis || !q.scale->data || !q.zero_point->data)
    throw Unsupported("the scale and the zero point must be known at export time here");
  return {q.scale->data->real(0), q.zero_point->data->integer(0)};
}

Tensor after_relu(Emit& e, const Tensor& x, bool active) {
  return active ? quantized_like(e, relu(dequantized(e, x)), x) : x;
}

// PyTorch moves the zero point where it can. Where the new one is out of range, it is the nearest in range, and
// the scale grows.
template <bool kRelu>
Tensor add_number(Emit& e, Tensor a, Scalar b) {
  const auto [scale, zero_point] = known_parameters(a);
  const auto [least, most] = range_of(a->dtype());
  const double steps = std::nearbyint(known_number(b, "b") / scale);
  const double moved = static_cast<double>(zero_point) - steps;
  if (moved >= least && moved <= most) {
    const Tensor sum(a.value, per_tensor(e, scale, static_cast<std::int64_t>(moved), a->dtype()));
    return after_relu(e, sum, kRelu);
  }
  const bool above = moved > most;
  const double wider = (above ? moved - least : most - moved) / (most - least) * scale;
  const double zero = above ? most : least;
  const Expr sum = dequantized(e, a) + steps * scale;
  return after_relu(e, output(e, sum, {wider, static_cast<std::int64_t>(zero)}, a), kRelu);
}

// A positive factor changes the scale; a negative one also reverses the integers.
template <bool kRelu>
Tensor mul_number(Emit& e, Tensor a, Scalar b) {
  const auto [scale, zero_point] = known_parameters(a);
  const auto [least, most] = range_of(a->dtype());
  const double factor = known_number(b, "b");
  if (factor == 0) return output(e, dequantized(e, a) * 0.0, {1, 0}, a);
  if (factor > 0)
    return after_relu(e, {a.value, per_tensor(e, factor * scale, zero_point, a->dtype())}, kRelu);
  const auto ends = static_cast<std::int64_t>(least + most);
  const Expr reversed = cast(ends - cast(integers_of(e, a), DType::i32), a->dtype());
  return after_relu(e, {reversed, per_tensor(e, -factor * scale, ends - zero_point, a->dtype())}, kRelu);
}

template <Tensor (*kFn)(Emit&, Tensor, Scalar)>
Tensor number_first(Emit& e, Scalar b, Tensor a) {
  return kFn(e, std::move(a), std::move(b));
}

template <bool kRelu>
Tensor cat(Emit& e, std::vector<Tensor> tensors, std::int64_t dim, std::optional<double> scale,
           std::optional<std::int64_t> zero_point) {
  if (tensors.empty()) throw ProgramError("a list of no tensors cannot be concatenated");
  for (const Tensor& tensor : tensors) check_quantized(tensor, "qx");
  const Tensor& first = tensors[0];
  const QuantizerPtr parameters =
      scale && zero_point ? per_tensor(e, *scale, *zero_point, first->dtype()) : first.quantizer;
  const bool same = std::ranges::all_of(tensors, [&](const Tensor& tensor) {
    return same_parameters(tensor.quantizer, parameters) && tensor->dtype() == first->dtype();
  });
  ArgList parts;
  for (const Tensor& tensor : tensors)
    parts.push_back(same ? arg(integers_of(e, tensor)) : arg(dequantized(e, tensor)));
  const Expr joined = call(e, "aten::cat", {Arg{std::move(parts)}, arg(dim)});
  if (same) return after_relu(e, {joined, parameters}, kRelu);
  return quantized(e, kRelu ? relu(joined) : joined, parameters, first->dtype());
}

constexpr OnQuantized kOwn = OnQuantized::own;
constexpr std::string_view kPair = "qa=qu8[batch,6], qb=qu8[batch,6]";
constexpr std::string_view kOne = "qa=qu8[batch,6]";

constexpr Declaration kArithmetic[] = {
    op<binary<Binary::add, false>>(
        "quantized::add(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor",
        {.doc = "a + b of quantised tensors.", .quantized = kOwn, .sample = kPair}),
    op<binary<Binary::add, true>>(
        "quantized::add_relu(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor",
        {.doc = "relu(a + b) of quantised tensors.", .quantized = kOwn, .sample = kPair}),
    op<binary<Binary::mul, false>>(
        "quantized::mul(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor",
        {.doc = "a b of quantised tensors.", .quantized = kOwn, .sample = kPair}),
    op<binary<Binary::mul, true>>(
        "quantized::mul_relu(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor",
        {.doc = "relu(a b) of quantised tensors.", .quantized = kOwn, .sample = kPair}),
    op<binary<Binary::matmul, false>>(
        "quantized::matmul(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor",
        {.doc = "The product of quantised matrices.",
         .quantized = kOwn,
         .sample = "qa=qu8[batch,6,8], qb=qu8[batch,8,6]"}),
    op<add_number<false>>("quantized::add.Scalar(Tensor qa, Scalar b) -> Tensor",
                          {.doc = "The sum of a quantised tensor and a number.",
                           .quantized = kOwn,
                           .aliases = {"quantized::add_scalar"},
                           .sample = kOne}),
    op<number_first<add_number<false>>>(
        "quantized::add.Scalar2(Scalar b, Tensor qa) -> Tensor",
        {.doc = "The sum of a number and a quantised tensor.", .quantized = kOwn, .sample = kOne}),
    op<add_number<true>>("quantized::add_relu.Scalar(Tensor qa, Scalar b) -> Tensor",
                         {.doc = "relu of the sum of a quantised tensor and a number.",
                          .quantized = kOwn,
                          .aliases = {"quantized::add_scalar_relu"},
                          .sample = kOne}),
    op<number_first<add_number<true>>>(
        "quantized::add_relu.Scalar2(Scalar b, Tensor qa) -> Tensor",
        {.doc = "relu of the sum of a number and a quantised tensor.", .quantized = kOwn, .sample = kOne}),
    op<mul_number<false>>("quantized::mul.Scalar(Tensor qa, Scalar b) -> Tensor",
                          {.doc = "The product of a quantised tensor and a number.",
                           .quantized = kOwn,
                           .aliases = {"quantized::mul_scalar"},
                           .sample = kOne}),
    op<number_first<mul_number<false>>>(
        "quantized::mul.Scalar2(Scalar b, Tensor qa) -> Tensor",
        {.doc = "The product of a number and a quantised tensor.", .quantized = kOwn, .sample = kOne}),
    op<mul_number<true>>("quantized::mul_relu.Scalar(Tensor qa, Scalar b) -> Tensor",
                         {.doc = "relu of the product of a quantised tensor and a number.",
                          .quantized = kOwn,
                          .aliases = {"quantized::mul_scalar_relu"},
                          .sample = kOne}),
    op<number_first<mul_number<true>>>("quantized::mul_relu.Scalar2(Scalar b, Tensor qa) -> Tensor",
                                       {.doc = "relu of the product of a number and a quantised tensor.",
                                        .quantized = kOwn,
                                        .sample = kOne}),
    op<cat<false>>("quantized::cat(Tensor[] qx, int dim, float? scale, int? zero_point) -> Tensor",
                   {.doc = "Concatenates quantised tensors.",
                    .quantized = kOwn,
                    .sample = "qx=[qu8[batch,6], qu8[batch,6]], scale=0.5, zero_point=3"}),
    op<cat<true>>("quantized::cat_relu(Tensor[] qx, int dim, float? scale, int? zero_point) -> Tensor",
                  {.doc = "Concatenates quantised tensors, with relu.",
                   .quantized = kOwn,
                   .sample = "qx=[qu8[batch,6], qu8[batch,6]], scale=0.5, zero_point=3"}),
};

}  // namespace
}  // namespace quantized_arithmetic

std::span<const Declaration> tensor_arithmetic_ops() { return quantized_arithmetic::kArithmetic; }

}  // namespace cameo::aten
