#include "aten/network/recurrent_layer.h"

#include "aten/support.h"

namespace cameo::aten {
namespace {

using Ints = std::vector<std::int64_t>;

// Which of PyTorch's gates stands at each place of ONNX's: input, output, forget, cell; update, reset, new.
Ints gate_order(Cell cell) {
  switch (cell) {
    case Cell::lstm: return {0, 3, 1, 2};
    case Cell::gru: return {1, 0, 2};
    default: return {0};
  }
}

// Blocks of rows of each value in the given order, all values joined along the rows.
Expr joined_by_nodes(std::span<Expr const> values, const Ints& order) {
  std::vector<Expr> blocks;
  for (const Expr& value : values) {
    const Dim rows = sym::floordiv(value.dim(0), std::ssize(order));
    for (std::int64_t gate : order)
      blocks.push_back(order.size() == 1 ? value : slice(value, 0, rows * gate, rows * (gate + 1)));
  }
  return unsqueeze(concat(blocks, 0), {0});
}

Expr stacked_by_nodes(const std::vector<std::vector<Expr>>& directions, const Ints& order) {
  std::vector<Expr> parts;
  for (const auto& values : directions) parts.push_back(joined_by_nodes(values, order));
  return concat(parts, 0);
}

// The rows of each gate, in the given order.
void by_gates(const onnx::Data& data, const Ints& order, const onnx::Sink& sink) {
  const std::int64_t rows = data.shape()[0] / std::ssize(order);
  for (std::int64_t gate : order) {
    if (const archive::TensorPtr& tensor = data.tensor()) {
      archive::Tensor part = *tensor;
      part.shape[0] = rows;
      part.offset += gate * rows * part.strides[0];
      part.copy_to(sink);
    } else {
      const std::size_t size = data.byte_size() / order.size();
      sink(data.bytes().subspan(as_size(gate) * size, size));
    }
  }
}

// [directions, rows, …]: the values of each direction joined along their rows, in ONNX's order of gates.
// Known weights are rearranged when they are written.
Expr stacked(Emit& e, const std::vector<std::vector<Expr>>& directions, const Ints& order) {
  std::vector<onnx::DataPtr> blocks;
  Ints shape;
  for (const auto& values : directions) {
    std::int64_t rows = 0;
    for (const Expr& value : values) {
      if (!value->constant()) return stacked_by_nodes(directions, order);
      blocks.push_back(value->data);
      shape = value->data->shape();
      rows += shape[0];
    }
    shape[0] = rows;
  }
  shape.insert(shape.begin(), std::ssize(directions));
  const Expr first = directions.front().front();
  return e.constant(std::make_shared<onnx::Data>(first->dtype(), shape,
                                                 onnx::Recipe([blocks, order](const onnx::Sink& sink) {
                                                   for (const onnx::DataPtr& data : blocks)
                                                     by_gates(*data, order, sink);
                                                 })),
                    first->name);
}

onnx::Attributes attributes_of(Cell cell, std::int64_t hidden, bool both) {
  onnx::Attributes attributes{{"hidden_size", hidden}};
  if (both) attributes.push_back({"direction", "bidirectional"});
  if (cell == Cell::gru) attributes.push_back({"linear_before_reset", std::int64_t{1}});
  if (cell == Cell::rnn_relu)
    attributes.push_back({"activations", std::vector<std::string>(both ? 2 : 1, "Relu")});
  return attributes;
}

}  // namespace

LayerResult recurrent_layer(Emit& e, Cell cell, Expr x, std::span<const Direction> directions, Expr lengths,
                            const State& initial) {
  if (directions[0].projection.value) return projected_layer(e, x, directions, lengths, initial);
  const Ints order = gate_order(cell);
  std::vector<std::vector<Expr>> inputs, hiddens, biases;
  for (const Direction& direction : directions) {
    inputs.push_back({direction.input});
    hiddens.push_back({direction.hidden});
    if (direction.input_bias.value) biases.push_back({direction.input_bias, direction.hidden_bias});
  }
  const std::int64_t hidden = known_sizes({directions[0].hidden.dim(1)}, "the hidden size")[0];
  const char* type = cell == Cell::lstm ? "LSTM" : cell == Cell::gru ? "GRU" : "RNN";
  std::vector<onnx::Value*> operands{x,
                                     stacked(e, inputs, order),
                                     stacked(e, hiddens, order),
                                     biases.empty() ? Expr() : stacked(e, biases, order),
                                     lengths,
                                     initial.h};
  if (cell == Cell::lstm) operands.push_back(initial.c);
  const std::vector<Expr> out =
      ops(e, type, operands, attributes_of(cell, hidden, directions.size() == 2), cell == Cell::lstm ? 3 : 2);
  return {out[0], {out[1], cell == Cell::lstm ? out[2] : Expr()}};
}

}  // namespace cameo::aten
