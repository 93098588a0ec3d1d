#pragma once
// One layer of a recurrent network: ONNX's operator, or a Scan for an LSTM with projections, which ONNX lacks.

#include <span>

#include "aten/arg.h"

namespace cameo::aten {

enum class Cell { lstm, gru, rnn_tanh, rnn_relu };

// PyTorch's weights of one direction.
struct Direction {
  Expr input = nullptr;   // [gates * hidden, inputs]
  Expr hidden = nullptr;  // [gates * hidden, hidden], or [gates * hidden, projected]
  Expr input_bias = nullptr;
  Expr hidden_bias = nullptr;
  Expr projection = nullptr;  // [projected, hidden]; only of an LSTM, and then of all its directions
};

struct State {
  Expr h = nullptr;  // [directions, batch, hidden or projected]; null: zeros
  Expr c = nullptr;  // [directions, batch, hidden]
};

struct LayerResult {
  Expr y = nullptr;  // [time, directions, batch, hidden or projected]
  State last;
};

// `x` is [time, batch, inputs]; `lengths`, i32[batch], may be null.
LayerResult recurrent_layer(Emit& e, Cell cell, Expr x, std::span<const Direction> directions, Expr lengths,
                            const State& initial);
// The same for an LSTM with projections: h is projected in each step.
LayerResult projected_layer(Emit& e, const Expr& x, std::span<const Direction> directions,
                            const Expr& lengths, const State& initial);

}  // namespace cameo::aten
