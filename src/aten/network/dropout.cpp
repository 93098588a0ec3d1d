// Dropout: what training drops is drawn by the runtime.
#include <fmt/format.h>

#include <cmath>

#include "aten/elementwise.h"
#include "aten/families.h"

namespace cameo::aten {
namespace {

using onnx::Value;

Value* times(Emit& e, Value* x, double factor) { return e.op("Mul", {x, like(e, x, factor)}); }

// Whether something is dropped at all.
bool drops(double p, bool train) {
  if (!(p >= 0 && p <= 1))
    throw ProgramError(fmt::format("the probability must be between 0 and 1, not {}", p));
  return train && p != 0;
}

std::vector<Value*> drop(Emit& e, Value* x, double p, std::size_t outputs) {
  return e.ops("Dropout", {x, e.scalar(DType::f32, p), e.scalar(DType::boolean, std::int64_t{1})}, {},
               outputs);
}

// 1 with probability 1 - p, else 0. Drawn by hand: a Dropout of ones is taken away by ONNX Runtime's
// optimiser.
Value* kept(Emit& e, Value* shape_of, double p) {
  Value* draw = e.op("RandomUniformLike", {shape_of});
  return e.cast(e.op("Less", {draw, like(e, draw, 1 - p)}), shape_of->dtype());
}

// One element a channel of an instance.
Value* channels(Emit& e, const Tensor& input) {
  if (input.rank() < 2) throw ProgramError("the input must have at least two dimensions");
  Shape shape(input.shape().size(), Dim(1));
  shape[0] = input.dim(0);
  shape[1] = input.dim(1);
  return filled(e, like(e, input, 0), shape);
}

Tensor dropout(Emit& e, Tensor input, double p, bool train) {
  if (!drops(p, train)) return input;
  if (p == 1) return filled_like(e, like(e, input, 0), input);
  return drop(e, input, p, 1)[0];
}

Tensor feature_dropout(Emit& e, Tensor input, double p, bool train) {
  if (!drops(p, train)) return input;
  if (p == 1) return filled_like(e, like(e, input, 0), input);
  return e.op("Mul", {input, times(e, kept(e, channels(e, input), p), 1 / (1 - p))});
}

// What is dropped becomes the value that SELU saturates at; the rest is scaled so that mean and variance
// stay.
Tensor alpha_drop(Emit& e, const Tensor& input, double p, Value* shape_of) {
  constexpr double kAlpha = 1.7580993408473766;
  const double scale = 1 / std::sqrt((kAlpha * kAlpha * p + 1) * (1 - p));
  Value* keep = kept(e, shape_of, p);
  Value* shift = e.op("Add", {times(e, e.op("Sub", {keep, like(e, keep, 1)}), kAlpha * scale),
                              like(e, keep, kAlpha * scale * p)});
  return e.op("Add", {e.op("Mul", {input, times(e, keep, scale)}), shift});
}

Tensor alpha_dropout(Emit& e, Tensor input, double p, bool train) {
  if (!drops(p, train)) return input;
  if (p == 1) return filled_like(e, like(e, input, 0), input);
  return alpha_drop(e, input, p, input);
}

Tensor feature_alpha_dropout(Emit& e, Tensor input, double p, bool train) {
  if (!drops(p, train)) return input;
  if (p == 1) return filled_like(e, like(e, input, 0), input);
  return alpha_drop(e, input, p, channels(e, input));
}

std::vector<Tensor> native_dropout(Emit& e, Tensor input, double p, std::optional<bool> train) {
  auto all = [&](std::int64_t flag) { return Tensor(filled_like(e, e.scalar(DType::boolean, flag), input)); };
  if (!drops(p, train.value_or(true))) return {input, all(1)};
  if (p == 1) return {filled_like(e, like(e, input, 0), input), all(0)};
  std::vector<Value*> results = drop(e, input, p, 2);
  return {results[0], results[1]};
}

constexpr Declaration kDropout[] = {
    op<dropout>("aten::dropout(Tensor(a) input, float p, bool train) -> Tensor(a)",
                {.doc = "Its input; in training, some elements become 0.",
                 .view = View::unchanged,
                 .training = {.flag = "train", .matters_with = "p"}}),
    op<feature_dropout>("aten::feature_dropout(Tensor(a) input, float p, bool train) -> Tensor(a)",
                        {.doc = "Its input; in training, some channels become 0.",
                         .view = View::unchanged,
                         .training = {.flag = "train", .matters_with = "p"}}),
    op<alpha_dropout>("aten::alpha_dropout(Tensor(a) input, float p, bool train) -> Tensor(a)",
                      {.doc = "Its input; in training, some elements saturate, and mean and variance stay.",
                       .view = View::unchanged,
                       .training = {.flag = "train", .matters_with = "p"}}),
    op<feature_alpha_dropout>(
        "aten::feature_alpha_dropout(Tensor(a) input, float p, bool train) -> Tensor(a)",
        {.doc = "Its input; in training, some channels saturate, and mean and variance stay.",
         .view = View::unchanged,
         .training = {.flag = "train", .matters_with = "p"}}),
    op<native_dropout>("aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)",
                       {.doc = "dropout with the mask of what is kept.",
                        .training = {.flag = "train", .matters_with = "p"}}),
};

}  // namespace

std::span<const Declaration> dropout_ops() { return kDropout; }

}  // namespace cameo::aten
