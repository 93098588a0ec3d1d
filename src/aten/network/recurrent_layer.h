#pragma once
// One layer of a recurrent network, as ONNX has it.

#include <span>

#include "aten/arg.h"

namespace cameo::aten {

enum class Cell { lstm, gru, rnn_tanh, rnn_relu };

// PyTorch's weights of one direction.
struct Direction {
  onnx::Value* input = nullptr;   // [gates * hidden, inputs]
  onnx::Value* hidden = nullptr;  // [gates * hidden, hidden]
  onnx::Value* input_bias = nullptr;
  onnx::Value* hidden_bias = nullptr;
};

struct State {
  onnx::Value* h = nullptr;  // [directions, batch, hidden]; null: zeros
  onnx::Value* c = nullptr;
};

struct LayerResult {
  onnx::Value* y = nullptr;  // [time, directions, batch, hidden]
  State last;
};

// `x` is [time, batch, inputs]; `lengths`, i32[batch], may be null.
LayerResult recurrent_layer(Emit& e, Cell cell, onnx::Value* x, std::span<const Direction> directions,
                            onnx::Value* lengths, const State& initial);

}  // namespace cameo::aten
