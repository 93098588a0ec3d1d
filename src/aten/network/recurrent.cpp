// Recurrent networks over whole sequences, packed sequences and single steps.
#include <fmt/core.h>

#include <algorithm>

#include "aten/families.h"
#include "aten/network/recurrent_layer.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Ints = std::vector<std::int64_t>;
using Tensors = std::vector<Expr>;

struct Network {
  Cell cell;
  std::vector<Direction> directions;  // of all layers, one after the other
  std::size_t layers;
  std::size_t each;  // directions a layer
};

Network network_of(Cell cell, const Tensors& params, bool has_biases, std::int64_t num_layers, double dropout,
                   bool train, bool bidirectional) {
  if (num_layers < 1) throw ProgramError("a recurrent network needs at least one layer");
  if (train && dropout > 0 && num_layers > 1)
    throw Unsupported("dropout between recurrent layers in training mode is not supported",
                      "call eval() on the model before it is saved");
  Network network{cell, {}, as_size(num_layers), bidirectional ? 2u : 1u};
  const std::size_t directions = network.layers * network.each;
  std::size_t count = has_biases ? 4 : 2;
  const bool projected = cell == Cell::lstm && params.size() == directions * (count + 1);
  if (projected) ++count;
  if (params.size() != directions * count)
    throw ProgramError(
        fmt::format("{} weights for a recurrent network that needs {}", params.size(), directions * count));
  for (std::size_t i = 0; i < params.size(); i += count) {
    Direction direction{params[i], params[i + 1]};
    if (has_biases) {
      direction.input_bias = params[i + 2];
      direction.hidden_bias = params[i + 3];
    }
    if (projected) direction.projection = params[i + count - 1];
    network.directions.push_back(direction);
  }
  return network;
}

bool all_zero(const onnx::Data& data) {
  constexpr std::int64_t kWorthLooking = 65536;
  if (data.numel() > kWorthLooking) return false;
  for (std::int64_t i = 0; i < data.numel(); ++i)
    if (data.real(i) != 0) return false;
  return true;
}

bool known_zeros(const onnx::Value* value) {
  if (value->constant()) return all_zero(*value->data);
  if (!value->producer) return false;
  if (value->producer->op == "Expand") return known_zeros(value->producer->inputs[0]);
  if (value->producer->op != "ConstantOfShape") return false;
  const auto* fill = value->producer->attribute_if<onnx::DataPtr>("value");
  return !fill || all_zero(**fill);
}

// A layer's part of the states of all layers; nothing where they are zeros.
Expr layer_state(const Expr& states, const Network& network, std::size_t layer) {
  if (known_zeros(states)) return nullptr;
  if (network.layers == 1) return states;
  const auto each = static_cast<std::int64_t>(network.each), at = static_cast<std::int64_t>(layer);
  return slice(states, 0, at * each, (at + 1) * each);
}

// [time, directions, batch, hidden] to [time, batch, directions * hidden].
Expr directions_last(Expr y, std::size_t directions) {
  if (directions == 1) return squeeze(y, {1});
  const Shape& shape = *y->type.shape;
  return reshape(transpose(y, {0, 2, 1, 3}), {shape[0], shape[2], shape[1] * shape[3]});
}

// All layers over `x`, [time, batch, inputs]. Gives the sequence, then the last states.
Tensors run(Emit& e, const Network& network, Expr x, Expr lengths, const Tensors& initial) {
  std::vector<Expr> h, c;
  for (std::size_t layer = 0; layer < network.layers; ++layer) {
    State state{layer_state(initial[0], network, layer), nullptr};
    if (network.cell == Cell::lstm) state.c = layer_state(initial[1], network, layer);
    const auto directions = std::span(network.directions).subspan(layer * network.each, network.each);
    const LayerResult result = recurrent_layer(e, network.cell, x, directions, lengths, state);
    x = directions_last(result.y, network.each);
    h.push_back(result.last.h);
    c.push_back(result.last.c);
  }
  Tensors out{x, concat(h, 0)};
  if (network.cell == Cell::lstm) out.push_back(concat(c, 0));
  return out;
}

Tensors over_sequence(Emit& e, const Network& network, const Expr& input, const Tensors& initial,
                      bool batch_first) {
  if (input.rank() != 3)
    throw ProgramError(fmt::format("a recurrent network over a tensor of {} dimensions", input.rank()));
  Tensors out = run(e, network, batch_first ? transpose(input, {1, 0, 2}) : input, nullptr, initial);
  if (batch_first) out[0] = transpose(out[0], {1, 0, 2});
  return out;
}

void check_states(const Tensors& hx) {
  if (hx.size() != 2) throw ProgramError("an LSTM expects two hidden states");
}

Tensors lstm(Emit& e, Expr input, Tensors hx, Tensors params, bool has_biases, std::int64_t num_layers,
             double dropout, bool train, bool bidirectional, bool batch_first) {
  check_states(hx);
  return over_sequence(e,
                       network_of(Cell::lstm, params, has_biases, num_layers, dropout, train, bidirectional),
                       input, hx, batch_first);
}
template <Cell kCell>
Tensors rnn(Emit& e, Expr input, Expr hx, Tensors params, bool has_biases, std::int64_t num_layers,
            double dropout, bool train, bool bidirectional, bool batch_first) {
  return over_sequence(e, network_of(kCell, params, has_biases, num_layers, dropout, train, bidirectional),
                       input, {hx}, batch_first);
}

// ---- packed sequences: the elements of all steps, step by step, without padding. At step t the first
// batch_sizes[t] sequences still run.

const onnx::Node* made_by(const onnx::Value* value, std::string_view op) {
  return value->producer && value->producer->op == op ? value->producer : nullptr;
}

// boolean[time, batch]: where there are elements.
Expr running(Emit& e, const Expr& batch_sizes, const Dim& batch) {
  return indices(e, batch) < unsqueeze(batch_sizes, {1});
}
Expr places(Emit& e, Expr mask) { return transpose(e.op("NonZero", {mask}), {1, 0}); }
Expr packed(Emit& e, Expr padded, Expr mask) { return e.op("GatherND", {padded, places(e, mask)}); }
Expr counted(Emit& e, Expr mask, std::int64_t axis) {
  return e.op("ReduceSum", {cast(mask, DType::i64), e.ints({axis})}, {{"keepdims", std::int64_t{0}}});
}

// The tensor from which pack_padded_sequence, or a network over its result, made data and batch sizes.
struct Source {
  Expr padded;   // [time, batch, …]; more steps may follow
  Expr mask;     // boolean[time, batch]
  Expr lengths;  // i64[batch]
};
std::optional<Source> source_of(const Expr& data, const Expr& batch_sizes) {
  const onnx::Node* sum = made_by(batch_sizes, "ReduceSum");
  const onnx::Node* cast = sum ? made_by(sum->inputs[0], "Cast") : nullptr;
  const onnx::Node* less = cast ? made_by(cast->inputs[0], "Less") : nullptr;
  const onnx::Node* gather = made_by(data, "GatherND");
  const onnx::Node* turned = gather ? made_by(gather->inputs[1], "Transpose") : nullptr;
  const onnx::Node* found = turned ? made_by(turned->inputs[0], "NonZero") : nullptr;
  if (!less || !found || found->inputs[0] != cast->inputs[0]) return std::nullopt;
  Emit& e = *data.e;
  return Source{{e, gather->inputs[0]}, {e, found->inputs[0]}, {e, less->inputs[1]}};
}

Expr unpacked(Emit& e, const Expr& data, const Expr& batch_sizes, Expr mask, const Dim& batch, Expr fill) {
  Shape shape{batch_sizes.dim(0), batch};
  shape.insert(shape.end(), data.shape().begin() + 1, data.shape().end());
  return e.op("ScatterND", {expand(fill, shape), places(e, mask), data});
}

Tensors pack_padded_sequence(Emit& e, Expr input, Expr lengths, bool batch_first) {
  if (input.rank() < 2) throw ProgramError("the input must have at least two dimensions");
  Ints perm = all_axes(input);
  if (batch_first) std::swap(perm[0], perm[1]);
  const Expr x = transpose(input, perm);
  const Expr count = cast(lengths, DType::i64);
  const Dim steps = e.number(e.op("ReduceMax", {count}, {{"keepdims", std::int64_t{0}}}));
  e.sym().assume_less_equal(1, steps);  // PyTorch takes no empty sequences, and none longer than the input
  e.sym().assume_less_equal(steps, x.dim(0));
  const Expr mask = unsqueeze(indices(e, steps), {1}) < count;
  return {packed(e, x, mask), counted(e, mask, 1)};
}

Tensors pad_packed_sequence(Emit& e, Expr data, Expr batch_sizes, bool batch_first, Scalar padding_value,
                            Dim total_length) {
  Expr x = nullptr, lengths = nullptr;
  const Expr fill = as(e, padding_value, data.dtype());
  const Dim steps = batch_sizes.dim(0);
  if (const std::optional<Source> source = source_of(data, batch_sizes)) {
    Ints inner;
    for (std::int64_t axis = 2; axis < source->padded->rank(); ++axis) inner.push_back(axis);
    x = where(unsqueeze(source->mask, inner), slice(source->padded, 0, 0, steps), fill);
    lengths = source->lengths;
  } else {
    const Dim batch = e.number(gather(batch_sizes, e.dim(0), 0));
    const Expr mask = running(e, batch_sizes, batch);
    x = unpacked(e, data, batch_sizes, mask, batch, fill);
    lengths = counted(e, mask, 0);
  }
  const bool longer = e.sym().less_equal(total_length, 0) != sym::Truth::yes &&
                      e.sym().equal(total_length, steps) != sym::Truth::yes;
  if (longer) {
    Shape pads(2 * x->type.shape->size(), 0);
    pads[x->type.shape->size()] = total_length - steps;
    x = e.op("Pad", {x, e.dims(pads), fill});
  }
  Ints perm = all_axes(x);
  if (batch_first) std::swap(perm[0], perm[1]);
  return {transpose(x, perm), lengths};
}

Tensors over_packed(Emit& e, const Network& network, const Expr& data, const Expr& batch_sizes,
                    const Tensors& initial) {
  std::optional<Source> source = source_of(data, batch_sizes);
  if (!source) {
    const Dim batch = initial[0].dim(1);
    const Expr mask = running(e, batch_sizes, batch);
    const Expr zero = e.scalar(data.dtype(), 0.0);
    source = Source{unpacked(e, data, batch_sizes, mask, batch, zero), mask, counted(e, mask, 0)};
  }
  Tensors out = run(e, network, source->padded, cast(source->lengths, DType::i32), initial);
  out[0] = packed(e, out[0], source->mask);
  return out;
}

Tensors packed_lstm(Emit& e, Expr data, Expr batch_sizes, Tensors hx, Tensors params, bool has_biases,
                    std::int64_t num_layers, double dropout, bool train, bool bidirectional) {
  check_states(hx);
  return over_packed(e, network_of(Cell::lstm, params, has_biases, num_layers, dropout, train, bidirectional),
                     data, batch_sizes, hx);
}
template <Cell kCell>
Tensors packed_rnn(Emit& e, Expr data, Expr batch_sizes, Expr hx, Tensors params, bool has_biases,
                   std::int64_t num_layers, double dropout, bool train, bool bidirectional) {
  return over_packed(e, network_of(kCell, params, has_biases, num_layers, dropout, train, bidirectional),
                     data, batch_sizes, {hx});
}

// ---- one step

Tensors step(Emit& e, Cell cell, const Expr& input, const Tensors& hx, const Expr& w_ih, const Expr& w_hh,
             const std::optional<Expr>& b_ih, const std::optional<Expr>& b_hh) {
  if (b_ih.has_value() != b_hh.has_value()) throw Unsupported("only one of the two biases is given");
  Direction direction{w_ih, w_hh};
  if (b_ih) direction = {w_ih, w_hh, *b_ih, *b_hh};
  const auto state = [](const Expr& h) { return known_zeros(h) ? Expr() : unsqueeze(h, {0}); };
  State initial{state(hx[0]), nullptr};
  if (cell == Cell::lstm) initial.c = state(hx[1]);
  const LayerResult result =
      recurrent_layer(e, cell, unsqueeze(input, {0}), std::span(&direction, 1), nullptr, initial);
  Tensors out{squeeze(result.last.h, {0})};
  if (cell == Cell::lstm) out.push_back(squeeze(result.last.c, {0}));
  return out;
}

Tensors lstm_cell(Emit& e, Expr input, Tensors hx, Expr w_ih, Expr w_hh, std::optional<Expr> b_ih,
                  std::optional<Expr> b_hh) {
  check_states(hx);
  return step(e, Cell::lstm, input, hx, w_ih, w_hh, b_ih, b_hh);
}
template <Cell kCell>
Expr rnn_cell(Emit& e, Expr input, Expr hx, Expr w_ih, Expr w_hh, std::optional<Expr> b_ih,
              std::optional<Expr> b_hh) {
  return step(e, kCell, input, {hx}, w_ih, w_hh, b_ih, b_hh)[0];
}

constexpr Declaration kRecurrent[] = {
    op<lstm>("aten::lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, "
             "float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor)",
             {.doc = "A long short-term memory network.",
              .sample = "input=f32[width,batch,6], hx=[f32[1,batch,8], f32[1,batch,8]], params=[f32[32,6], "
                        "f32[32,8], f32[32], f32[32]], has_biases=True, num_layers=1, dropout=0.0"}),
    op<packed_lstm>(
        "aten::lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool has_biases, int "
        "num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor, Tensor)",
        {.doc = "A long short-term memory network over packed sequences.",
         .sample =
             "data=f32[30,6], batch_sizes=i64[width], hx=[f32[1,batch,8], f32[1,batch,8]], "
             "params=[f32[32,6], f32[32,8], f32[32], f32[32]], has_biases=True, num_layers=1, dropout=0.0"}),
    op<rnn<Cell::gru>>(
        "aten::gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float "
        "dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)",
        {.doc = "A network of gated recurrent units.",
         .sample = "input=f32[width,batch,6], hx=f32[1,batch,8], params=[f32[24,6], f32[24,8], f32[24], "
                   "f32[24]], has_biases=True, num_layers=1, dropout=0.0"}),
    op<packed_rnn<Cell::gru>>(
        "aten::gru.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int "
        "num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)",
        {.doc = "A network of gated recurrent units over packed sequences.",
         .sample = "data=f32[30,6], batch_sizes=i64[width], hx=f32[1,batch,8], params=[f32[24,6], f32[24,8], "
                   "f32[24], f32[24]], has_biases=True, num_layers=1, dropout=0.0"}),
    op<rnn<Cell::rnn_tanh>>(
        "aten::rnn_tanh.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, "
        "float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)",
        {.doc = "A simple recurrent network with tanh.",
         .sample = "input=f32[width,batch,6], hx=f32[1,batch,8], params=[f32[8,6], f32[8,8], f32[8], "
                   "f32[8]], has_biases=True, num_layers=1, dropout=0.0"}),
    op<packed_rnn<Cell::rnn_tanh>>(
        "aten::rnn_tanh.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, "
        "int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)",
        {.doc = "A simple recurrent network with tanh over packed sequences.",
         .sample = "data=f32[30,6], batch_sizes=i64[width], hx=f32[1,batch,8], params=[f32[8,6], f32[8,8], "
                   "f32[8], f32[8]], has_biases=True, num_layers=1, dropout=0.0"}),
    op<rnn<Cell::rnn_relu>>(
        "aten::rnn_relu.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, "
        "float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)",
        {.doc = "A simple recurrent network with relu.",
         .sample = "input=f32[width,batch,6], hx=f32[1,batch,8], params=[f32[8,6], f32[8,8], f32[8], "
                   "f32[8]], has_biases=True, num_layers=1, dropout=0.0"}),
    op<packed_rnn<Cell::rnn_relu>>(
        "aten::rnn_relu.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, "
        "int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)",
        {.doc = "A simple recurrent network with relu over packed sequences.",
         .sample = "data=f32[30,6], batch_sizes=i64[width], hx=f32[1,batch,8], params=[f32[8,6], f32[8,8], "
                   "f32[8], f32[8]], has_biases=True, num_layers=1, dropout=0.0"}),
    op<pack_padded_sequence>(
        "aten::_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, Tensor)",
        {.doc = "Sequences without their padding, step by step.",
         .sample = "input=f32[width,batch,6], lengths=i64[batch]"}),
    op<pad_packed_sequence>(
        "aten::_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, "
        "int total_length) -> (Tensor, Tensor)",
        {.doc = "Packed sequences with padding, and their lengths.",
         .sample = "data=f32[30,6], batch_sizes=i64[width], padding_value=0.0, total_length=0"}),
    op<lstm_cell>("aten::lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
                  "Tensor? b_hh=None) -> (Tensor, Tensor)",
                  {.doc = "One step of a long short-term memory network.",
                   .sample = "input=f32[batch,6], hx=[f32[batch,8], f32[batch,8]], w_ih=f32[32,6], "
                             "w_hh=f32[32,8], b_ih=f32[32], b_hh=f32[32]"}),
    op<rnn_cell<Cell::gru>>("aten::gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? "
                            "b_ih=None, Tensor? b_hh=None) -> Tensor",
                            {.doc = "One step of a gated recurrent unit.",
                             .sample = "input=f32[batch,6], hx=f32[batch,8], w_ih=f32[24,6], w_hh=f32[24,8], "
                                       "b_ih=f32[24], b_hh=f32[24]"}),
    op<rnn_cell<Cell::rnn_tanh>>(
        "aten::rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? "
        "b_hh=None) -> Tensor",
        {.doc = "One step of a simple recurrent network with tanh.",
         .sample =
             "input=f32[batch,6], hx=f32[batch,8], w_ih=f32[8,6], w_hh=f32[8,8], b_ih=f32[8], b_hh=f32[8]"}),
    op<rnn_cell<Cell::rnn_relu>>(
        "aten::rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? "
        "b_hh=None) -> Tensor",
        {.doc = "One step of a simple recurrent network with relu.",
         .sample =
             "input=f32[batch,6], hx=f32[batch,8], w_ih=f32[8,6], w_hh=f32[8,8], b_ih=f32[8], b_hh=f32[8]"}),
};

}  // namespace

std::span<const Declaration> recurrent_ops() { return kRecurrent; }

}  // namespace cameo::aten
