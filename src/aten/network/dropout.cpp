// Dropout: what training drops is drawn by the runtime.
#include <fmt/core.h>

#include <cmath>

#include "aten/elementwise.h"
#include "aten/families.h"

namespace cameo::aten {
namespace {

Expr times(Emit&, Expr x, double factor) { return x * factor; }

// Whether something is dropped at all.
bool drops(double p, bool train) {
  if (!(p >= 0 && p <= 1))
    throw ProgramError(fmt::format("the probability must be between 0 and 1, not {}", p));
  return train && p != 0;
}

std::vector<Expr> drop(Emit& e, Expr x, double p, std::size_t outputs) {
  return ops(e, "Dropout", {x, e.scalar(DType::f32, p), e.scalar(DType::boolean, std::int64_t{1})}, {},
             outputs);
}

// 1 with probability 1 - p, else 0. Drawn by hand: a Dropout of ones is taken away by ONNX Runtime's
// optimiser.
Expr kept(Emit& e, Expr shape_of, double p) {
  const Expr draw = e.op("RandomUniformLike", {shape_of});
  return cast(draw < 1 - p, shape_of->dtype());
}

// One element a channel of an instance.
Expr channels(Emit&, const Expr& input) {
  if (input.rank() < 2) throw ProgramError("the input must have at least two dimensions");
  Shape shape(input.shape().size(), Dim(1));
  shape[0] = input.dim(0);
  shape[1] = input.dim(1);
  return filled(input.number(0), shape);
}

Expr dropout(Emit& e, Expr input, double p, bool train) {
  if (!drops(p, train)) return input;
  if (p == 1) return filled_like(input.number(0), input);
  return drop(e, input, p, 1)[0];
}

Expr feature_dropout(Emit& e, Expr input, double p, bool train) {
  if (!drops(p, train)) return input;
  if (p == 1) return filled_like(input.number(0), input);
  return input * times(e, kept(e, channels(e, input), p), 1 / (1 - p));
}

// Dropped elements become the value at which SELU saturates; the others are scaled so that mean and variance
// stay.
Expr alpha_drop(Emit& e, const Expr& input, double p, Expr shape_of) {
  constexpr double kAlpha = 1.7580993408473766;
  const double scale = 1 / std::sqrt((kAlpha * kAlpha * p + 1) * (1 - p));
  const Expr keep = kept(e, shape_of, p);
  const Expr shift = times(e, keep - 1, kAlpha * scale) + kAlpha * scale * p;
  return input * times(e, keep, scale) + shift;
}

Expr alpha_dropout(Emit& e, Expr input, double p, bool train) {
  if (!drops(p, train)) return input;
  if (p == 1) return filled_like(input.number(0), input);
  return alpha_drop(e, input, p, input);
}

Expr feature_alpha_dropout(Emit& e, Expr input, double p, bool train) {
  if (!drops(p, train)) return input;
  if (p == 1) return filled_like(input.number(0), input);
  return alpha_drop(e, input, p, channels(e, input));
}

std::vector<Expr> native_dropout(Emit& e, Expr input, double p, std::optional<bool> train) {
  auto all = [&](std::int64_t flag) { return Expr(filled_like(e.scalar(DType::boolean, flag), input)); };
  if (!drops(p, train.value_or(true))) return {input, all(1)};
  if (p == 1) return {filled_like(input.number(0), input), all(0)};
  std::vector<Expr> results = drop(e, input, p, 2);
  return {results[0], results[1]};
}

constexpr Declaration kDropout[] = {
    op<dropout>("aten::dropout(Tensor(a) input, float p, bool train) -> Tensor(a)",
                {.doc = "Its input; in training, some elements become 0.",
                 .quantized = OnQuantized::integers,
                 .view = View::unchanged,
                 .training = {.flag = "train", .matters_with = "p"}}),
    op<feature_dropout>("aten::feature_dropout(Tensor(a) input, float p, bool train) -> Tensor(a)",
                        {.doc = "Its input; in training, some channels become 0.",
                         .quantized = OnQuantized::integers,
                         .view = View::unchanged,
                         .training = {.flag = "train", .matters_with = "p"}}),
    op<alpha_dropout>("aten::alpha_dropout(Tensor(a) input, float p, bool train) -> Tensor(a)",
                      {.doc = "Its input; in training, some elements saturate, and mean and variance stay.",
                       .quantized = OnQuantized::integers,
                       .view = View::unchanged,
                       .training = {.flag = "train", .matters_with = "p"}}),
    op<feature_alpha_dropout>(
        "aten::feature_alpha_dropout(Tensor(a) input, float p, bool train) -> Tensor(a)",
        {.doc = "Its input; in training, some channels saturate, and mean and variance stay.",
         .quantized = OnQuantized::integers,
         .view = View::unchanged,
         .training = {.flag = "train", .matters_with = "p"}}),
    op<native_dropout>("aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)",
                       {.doc = "dropout with the mask of what is kept.",
                        .training = {.flag = "train", .matters_with = "p"}}),
};

}  // namespace

std::span<const Declaration> dropout_ops() { return kDropout; }

}  // namespace cameo::aten
