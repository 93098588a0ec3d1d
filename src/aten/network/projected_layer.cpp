#include "aten/elementwise.h"
#include "aten/matrix/products.h"
#include "aten/network/recurrent_layer.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Tensors = std::vector<Expr>;

struct Step {
  Expr h;  // [batch, projected]
  Expr c;  // [batch, hidden]
};

// One step from the input's part of the gates, [batch, 4 * hidden]: PyTorch's order is input, forget, cell, output.
Step next_step(Emit& e, const Direction& direction, const Step& last, const Expr& from_input) {
  const Expr gates = affine(e, last.h, direction.hidden, from_input);
  const Dim hidden = last.c.dim(1);
  const auto gate = [&](std::int64_t index) { return slice(gates, 1, hidden * index, hidden * (index + 1)); };
  const Expr kept = sigmoid(gate(1)) * last.c;
  const Expr c = kept + sigmoid(gate(0)) * tanh(gate(2));
  return {affine(e, sigmoid(gate(3)) * tanh(c), direction.projection, nullptr), c};
}

onnx::Type step_type(const Expr& sequence) {
  Shape shape = sequence.shape();
  shape.erase_at(0);
  return {.dtype = sequence.dtype(), .shape = shape};
}

// The body of the Scan. A sequence that has ended keeps its state.
onnx::Graph* scan_body(Emit& e, const Direction& direction, const Step& initial, const Tensors& scanned) {
  onnx::Graph* body = e.new_graph("lstm");
  const Emit::Scope inside(e, body);
  const Expr h = e.graph_input(body, initial.h->type);
  const Expr c = e.graph_input(body, initial.c->type);
  const Expr from_input = e.graph_input(body, step_type(scanned[0]));
  Step next = next_step(e, direction, {h, c}, from_input);
  if (scanned.size() > 1) {
    const Expr runs = e.graph_input(body, step_type(scanned[1]));
    next = {where(runs, next.h, h), where(runs, next.c, c)};
  }
  e.graph_output(body, next.h);
  e.graph_output(body, next.c);
  e.graph_output(body, next.h);
  return body;
}

Expr state_of(const Expr& states, std::int64_t direction, const Expr& like, const Shape& shape) {
  if (!states.value) return filled(like.number(0), shape);
  return squeeze(slice(states, 0, direction, direction + 1), {0});
}

struct DirectionResult {
  Expr y;  // [time, batch, projected]
  Step last;
};

DirectionResult run_direction(Emit& e, const Direction& direction, const Tensors& scanned,
                              const Step& initial, bool backwards) {
  const Expr& gates = scanned[0];
  const std::int64_t way = backwards ? 1 : 0;
  onnx::Graph* body = scan_body(e, direction, initial, scanned);
  const Expr h = e.pending(initial.h->type), c = e.pending(initial.c->type);
  const Expr y = e.pending({.dtype = gates.dtype(), .shape = Shape{gates.dim(0), h.dim(0), h.dim(1)}});
  std::vector<onnx::Value*> inputs{initial.h, initial.c};
  inputs.insert(inputs.end(), scanned.begin(), scanned.end());
  e.control("Scan", inputs,
            {{"body", body},
             {"num_scan_inputs", std::ssize(scanned)},
             {"scan_input_directions", Axes(scanned.size(), way)},
             {"scan_output_directions", Axes{way}}},
            {h, c, y});
  return {y, {h, c}};
}

}  // namespace

LayerResult projected_layer(Emit& e, const Expr& x, std::span<const Direction> directions,
                            const Expr& lengths, const State& initial) {
  Tensors y, h, c;
  for (const Direction& direction : directions) {
    const std::int64_t index = std::ssize(y);
    Expr gates = affine(e, x, direction.input, nullptr);
    if (direction.input_bias.value) gates = gates + (direction.input_bias + direction.hidden_bias);
    Tensors scanned{gates};
    if (lengths.value)
      scanned.push_back(
          unsqueeze(unsqueeze(cast(indices(e, x.dim(0)), lengths.dtype()), {1}) < lengths, {2}));
    const Dim batch = x.dim(1);
    const Step start{state_of(initial.h, index, x, {batch, direction.projection.dim(0)}),
                     state_of(initial.c, index, x, {batch, direction.projection.dim(1)})};
    const DirectionResult result = run_direction(e, direction, scanned, start, index == 1);
    y.push_back(unsqueeze(result.y, {1}));
    h.push_back(unsqueeze(result.last.h, {0}));
    c.push_back(unsqueeze(result.last.c, {0}));
  }
  return {concat(y, 1), {concat(h, 0), concat(c, 0)}};
}

}  // namespace cameo::aten
