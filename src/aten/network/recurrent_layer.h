#pragma once
// One layer of a recurrent network, as ONNX has it.

#include <span>

#include "aten/arg.h"

namespace cameo::aten {

enum class Cell { lstm, gru, rnn_tanh, rnn_relu };

// PyTorch's weights of one direction.
struct Direction {
  Expr input = nullptr;   // [gates * hidden, inputs]
  Expr hidden = nullptr;  // [gates * hidden, hidden]
  Expr input_bias = nullptr;
  Expr hidden_bias = nullptr;
};

struct State {
  Expr h = nullptr;  // [directions, batch, hidden]; null: zeros
  Expr c = nullptr;
};

struct LayerResult {
  Expr y = nullptr;  // [time, directions, batch, hidden]
  State last;
};

// `x` is [time, batch, inputs]; `lengths`, i32[batch], may be null.
LayerResult recurrent_layer(Emit& e, Cell cell, Expr x, std::span<const Direction> directions, Expr lengths,
                            const State& initial);

}  // namespace cameo::aten
