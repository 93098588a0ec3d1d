// Recurrent networks with quantised weights. The products of the inputs with their weights are computed once
// for all steps; those of the states in each step, with a scale of their own.
#include <fmt/core.h>

#include <algorithm>

#include "aten/counted_loop.h"
#include "aten/families.h"
#include "aten/quantized/calls.h"
#include "aten/quantized/dynamic_layers.h"
#include "aten/support.h"

namespace cameo::aten {
namespace quantized_recurrent {
namespace {

using namespace quantized_ops;
using Tensors = std::vector<Expr>;

enum class Kind { lstm, gru, rnn_tanh, rnn_relu };

// The states of one direction: h, and c of an LSTM.
using States = std::vector<Expr>;

std::vector<Expr> split(const Expr& gates, std::int64_t count) {
  const std::int64_t last = gates.rank() - 1;
  const Dim size = sym::floordiv(gates.dim(last), count);
  std::vector<Expr> parts;
  for (std::int64_t i = 0; i < count; ++i) parts.push_back(slice(gates, last, size * i, size * (i + 1)));
  return parts;
}

// One step. `gates` are the products of the inputs.
States step(Emit& e, Kind kind, const Expr& gates, const PackedCell& weights, const States& before) {
  const Expr& h = before[0];
  const Expr hidden = linear_dynamic(e, h, weights.hidden, weights.reduce_range);
  if (kind == Kind::rnn_tanh) return {tanh(gates + hidden)};
  if (kind == Kind::rnn_relu) return {relu(gates + hidden)};
  if (kind == Kind::lstm) {
    const std::vector<Expr> g = split(gates + hidden, 4);
    const Expr c = sigmoid(g[1]) * before[1] + sigmoid(g[0]) * tanh(g[2]);
    return {sigmoid(g[3]) * tanh(c), c};
  }
  const std::vector<Expr> i = split(gates, 3), g = split(hidden, 3);
  const Expr reset = sigmoid(i[0] + g[0]), update = sigmoid(i[1] + g[1]);
  const Expr candidate = tanh(i[2] + reset * g[2]);
  return {(h - candidate) * update + candidate};
}

// The sequences of a call: [time, batch, inputs], or packed, where `batch_sizes` says how many sequences still
// run in each step.
struct Sequence {
  Expr x = nullptr;
  std::optional<Expr> batch_sizes;

  Dim steps() const { return batch_sizes ? batch_sizes->dim(0) : x.dim(0); }
};

struct LayerResult {
  Expr y = nullptr;  // in the form of the sequence
  States last;
};

Expr flipped(Emit& e, const Expr& x) { return call(e, "aten::flip", {arg(x), arg(Ints{0})}); }

// The states of the sequences that still run go one step on; the others stay.
States active_step(Emit& e, Kind kind, const Expr& gates, const PackedCell& weights, const States& before,
                   const Dim& running) {
  States active;
  for (const Expr& state : before) active.push_back(slice(state, 0, 0, running));
  States after = step(e, kind, gates, weights, active);
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Dim batch = before[i].dim(0);
    after[i] = reshape(concat({after[i], slice(before[i], 0, running, batch)}, 0), before[i].shape());
  }
  return after;
}

// The rows of all steps that belong to running sequences, in the order of packed sequences.
Expr packed_rows(Emit& e, const Expr& all, const Expr& batch_sizes) {
  const Expr mask = indices(e, all.dim(1)) < unsqueeze(batch_sizes, {1});
  return e.op("GatherND", {all, transpose(e.op("NonZero", {mask}), {1, 0})});
}

LayerResult run(Emit& e, Kind kind, const Sequence& sequence, const PackedCell& weights,
                const States& initial, bool reverse) {
  const Expr gates = linear_dynamic(e, sequence.x, weights.input, weights.reduce_range);
  const Dim steps = sequence.steps();
  Expr ends = nullptr;
  if (sequence.batch_sizes) ends = cumulative_sum(*sequence.batch_sizes, 0);
  const TurnResults results = counted_loop(
      e, "steps", steps, initial, [&](const Expr& turn, const std::vector<Expr>& carried) -> TurnResults {
        const Expr at = reverse ? Expr(e.dim(steps - 1)) - turn : turn;
        if (!sequence.batch_sizes) {
          const States after = step(e, kind, gather(gates, at, 0), weights, carried);
          return {after, {after[0]}};
        }
        const Dim running = e.number(gather(*sequence.batch_sizes, at, 0)),
                  end = e.number(gather(ends, at, 0));
        e.sym().assume_less_equal(1, running);
        e.sym().assume_less_equal(running, carried[0].dim(0));
        e.sym().assume_less_equal(running, end);
        const Expr rows = slice(gates, 0, end - running, end);
        const States after = active_step(e, kind, rows, weights, carried, running);
        return {after, {after[0]}};
      });
  const Expr all = reverse ? flipped(e, results.gathered[0]) : results.gathered[0];
  return {sequence.batch_sizes ? packed_rows(e, all, *sequence.batch_sizes) : all, results.carried};
}

struct Network {
  Kind kind;
  std::vector<PackedCell> cells;  // of all layers, direction by direction
  std::int64_t layers;
  std::int64_t directions;
};

Network network_of(Kind kind, std::vector<PackedCell> params, std::int64_t layers, double dropout, bool train,
                   bool bidirectional) {
  if (layers < 1) throw ProgramError("a recurrent network needs at least one layer");
  if (train && dropout > 0 && layers > 1)
    throw Unsupported("dropout between recurrent layers in training mode is not supported",
                      "call eval() on the model before it is saved");
  const std::int64_t directions = bidirectional ? 2 : 1;
  if (std::ssize(params) != layers * directions)
    throw ProgramError(fmt::format("{} objects with weights for a recurrent network that needs {}",
                                   params.size(), layers * directions));
  return {kind, std::move(params), layers, directions};
}

Expr state_at(const Expr& states, std::int64_t index) {
  return squeeze(slice(states, 0, index, index + 1), {0});
}

// All layers. Gives the sequence, then the last states.
Tensors run_layers(Emit& e, const Network& network, Sequence sequence, const Tensors& initial) {
  std::vector<Tensors> last(initial.size());
  for (std::int64_t layer = 0; layer < network.layers; ++layer) {
    std::vector<Expr> parts;
    for (std::int64_t direction = 0; direction < network.directions; ++direction) {
      const std::int64_t index = layer * network.directions + direction;
      States states;
      for (const Expr& all : initial) states.push_back(state_at(all, index));
      const LayerResult result =
          run(e, network.kind, sequence, network.cells[as_size(index)], states, direction == 1);
      parts.push_back(result.y);
      for (std::size_t i = 0; i < last.size(); ++i) last[i].push_back(unsqueeze(result.last[i], {0}));
    }
    sequence.x = parts.size() == 1 ? parts[0] : concat(parts, parts[0].rank() - 1);
  }
  Tensors out{sequence.x};
  for (const Tensors& states : last) out.push_back(concat(states, 0));
  return out;
}

// ---- weights that are not quantised

bool has_biases(const Network& network) {
  return std::ranges::all_of(network.cells, [](const PackedCell& cell) {
    return cell.input.bias.has_value() && cell.hidden.bias.has_value();
  });
}

Arg list_of(const Tensors& tensors) {
  ArgList items;
  for (const Expr& tensor : tensors) items.push_back(arg(tensor));
  return Arg{std::move(items)};
}

Tensors run_floats(Emit& e, const Network& network, const Sequence& sequence, const Tensors& initial) {
  const bool biased = has_biases(network);
  ArgList weights;
  for (const PackedCell& cell : network.cells) {
    weights.push_back(Arg{cell.input.weight});
    weights.push_back(Arg{cell.hidden.weight});
    if (biased) weights.push_back(Arg{*cell.input.bias});
    if (biased) weights.push_back(Arg{*cell.hidden.bias});
  }
  std::vector<Arg> args{arg(sequence.x)};
  if (sequence.batch_sizes) args.push_back(arg(*sequence.batch_sizes));
  args.push_back(network.kind == Kind::lstm ? list_of(initial) : arg(initial[0]));
  for (const Arg& each : {Arg{std::move(weights)}, arg(biased), arg(network.layers), arg(0.0), arg(false),
                          arg(network.directions == 2)})
    args.push_back(each);
  if (!sequence.batch_sizes) args.push_back(arg(false));
  Tensors out;
  for (const Arg& result : call_all(e, network.kind == Kind::lstm ? "aten::lstm" : "aten::gru", args))
    out.emplace_back(e, detail::to_tensor(result));
  return out;
}

Tensors over(Emit& e, const Network& network, const Sequence& sequence, const Tensors& initial) {
  const bool dynamic = std::ranges::any_of(network.cells, &PackedCell::dynamic);
  return dynamic ? run_layers(e, network, sequence, initial) : run_floats(e, network, sequence, initial);
}

Tensors over_sequence(Emit& e, const Network& network, const Expr& input, const Tensors& initial,
                      bool batch_first) {
  if (input.rank() != 3)
    throw ProgramError(fmt::format("a recurrent network over a tensor of {} dimensions", input.rank()));
  Tensors out = over(e, network, {batch_first ? transpose(input, {1, 0, 2}) : input, {}}, initial);
  if (batch_first) out[0] = transpose(out[0], {1, 0, 2});
  return out;
}

void check_states(const Tensors& hx) {
  if (hx.size() != 2) throw ProgramError("an LSTM expects two hidden states");
}

Tensors lstm(Emit& e, Expr input, Tensors hx, std::vector<PackedCell> params, Ignored, std::int64_t layers,
             double dropout, bool train, bool bidirectional, bool batch_first, Ignored, Ignored) {
  check_states(hx);
  return over_sequence(e, network_of(Kind::lstm, std::move(params), layers, dropout, train, bidirectional),
                       input, hx, batch_first);
}
Tensors packed_lstm(Emit& e, Expr data, Expr batch_sizes, Tensors hx, std::vector<PackedCell> params, Ignored,
                    std::int64_t layers, double dropout, bool train, bool bidirectional, Ignored, Ignored) {
  check_states(hx);
  return over(e, network_of(Kind::lstm, std::move(params), layers, dropout, train, bidirectional),
              {data, batch_sizes}, hx);
}
Tensors gru(Emit& e, Expr input, Expr hx, std::vector<PackedCell> params, Ignored, std::int64_t layers,
            double dropout, bool train, bool bidirectional, bool batch_first) {
  return over_sequence(e, network_of(Kind::gru, std::move(params), layers, dropout, train, bidirectional),
                       input, {hx}, batch_first);
}
Tensors packed_gru(Emit& e, Expr data, Expr batch_sizes, Expr hx, std::vector<PackedCell> params, Ignored,
                   std::int64_t layers, double dropout, bool train, bool bidirectional) {
  return over(e, network_of(Kind::gru, std::move(params), layers, dropout, train, bidirectional),
              {data, batch_sizes}, {hx});
}

// ---- one step

States one_step(Emit& e, Kind kind, const Expr& input, const PackedLinear& w_ih, const PackedLinear& w_hh,
                const States& before) {
  const PackedCell weights{w_ih, w_hh, true, true};
  return step(e, kind, linear_dynamic(e, input, w_ih, true), weights, before);
}
Tensors lstm_cell(Emit& e, Expr input, Tensors hx, PackedLinear w_ih, PackedLinear w_hh, Expr, Expr) {
  check_states(hx);
  return one_step(e, Kind::lstm, input, w_ih, w_hh, hx);
}
template <Kind kKind>
Expr cell(Emit& e, Expr input, Expr hx, PackedLinear w_ih, PackedLinear w_hh, Expr, Expr) {
  return one_step(e, kKind, input, w_ih, w_hh, {hx})[0];
}

Returns make_dynamic(Emit&, PackedLinear w_ih, PackedLinear w_hh, Expr, Expr, bool reduce_range) {
  return {packed_arg(kCellClass, PackedCell{w_ih, w_hh, true, reduce_range})};
}
Returns make_half(Emit&, PackedLinear w_ih, PackedLinear w_hh) {
  return {packed_arg(kCellClass, PackedCell{w_ih, w_hh, false, false})};
}

constexpr Declaration kRecurrent[] = {
    op<lstm>(
        "aten::quantized_lstm.input(Tensor input, Tensor[] hx, __torch__.torch.classes.rnn.CellParamsBase[] "
        "params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool "
        "batch_first, *, ScalarType? dtype=None, bool use_dynamic=False) -> (Tensor, Tensor, Tensor)",
        {.doc = "A long short-term memory network with quantised weights.",
         .sample = "input=f32[width,batch,6], hx=[f32[1,batch,8], f32[1,batch,8]], params=[[i8[32,6], "
                   "i8[32,8], f32[32], f32[32]]], has_biases=True, num_layers=1, dropout=0.0"}),
    op<packed_lstm>(
        "aten::quantized_lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, "
        "__torch__.torch.classes.rnn.CellParamsBase[] params, bool has_biases, int num_layers, float "
        "dropout, bool train, bool bidirectional, *, ScalarType? dtype=None, bool use_dynamic=False) -> "
        "(Tensor, Tensor, Tensor)",
        {.doc = "A long short-term memory network with quantised weights over packed sequences.",
         .sample =
             "data=f32[30,6], batch_sizes=i64[width], hx=[f32[1,batch,8], f32[1,batch,8]], "
             "params=[[i8[32,6], i8[32,8], f32[32], f32[32]]], has_biases=True, num_layers=1, dropout=0.0"}),
    op<gru>("aten::quantized_gru.input(Tensor input, Tensor hx, __torch__.torch.classes.rnn.CellParamsBase[] "
            "params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool "
            "batch_first) -> (Tensor, Tensor)",
            {.doc = "A network of gated recurrent units with quantised weights.",
             .sample = "input=f32[width,batch,6], hx=f32[1,batch,8], params=[[i8[24,6], i8[24,8], f32[24], "
                       "f32[24]]], has_biases=True, num_layers=1, dropout=0.0"}),
    op<packed_gru>("aten::quantized_gru.data(Tensor data, Tensor batch_sizes, Tensor hx, "
                   "__torch__.torch.classes.rnn.CellParamsBase[] params, bool has_biases, int num_layers, "
                   "float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)",
                   {.doc = "A network of gated recurrent units with quantised weights over packed sequences.",
                    .sample = "data=f32[30,6], batch_sizes=i64[width], hx=f32[1,batch,8], params=[[i8[24,6], "
                              "i8[24,8], f32[24], f32[24]]], has_biases=True, num_layers=1, dropout=0.0"}),
    op<lstm_cell>("quantized::quantized_lstm_cell_dynamic(Tensor input, Tensor[] hx, "
                  "__torch__.torch.classes.quantized.LinearPackedParamsBase w_ih, "
                  "__torch__.torch.classes.quantized.LinearPackedParamsBase w_hh, Tensor bias_ih, Tensor "
                  "bias_hh) -> (Tensor, Tensor)",
                  {.doc = "One step of a long short-term memory network with quantised weights.",
                   .sample = "input=f32[batch,6], hx=[f32[batch,8], f32[batch,8]], w_ih=[i8[32,6], f32[32]], "
                             "w_hh=[i8[32,8], f32[32]]"}),
    op<cell<Kind::gru>>(
        "quantized::quantized_gru_cell_dynamic(Tensor input, Tensor hx, "
        "__torch__.torch.classes.quantized.LinearPackedParamsBase w_ih, "
        "__torch__.torch.classes.quantized.LinearPackedParamsBase w_hh, Tensor b_ih, Tensor b_hh) -> Tensor",
        {.doc = "One step of a gated recurrent unit with quantised weights.",
         .sample =
             "input=f32[batch,6], hx=f32[batch,8], w_ih=[i8[24,6], f32[24]], w_hh=[i8[24,8], f32[24]]"}),
    op<cell<Kind::rnn_tanh>>(
        "quantized::quantized_rnn_tanh_cell_dynamic(Tensor input, Tensor hx, "
        "__torch__.torch.classes.quantized.LinearPackedParamsBase w_ih, "
        "__torch__.torch.classes.quantized.LinearPackedParamsBase w_hh, Tensor b_ih, Tensor b_hh) -> Tensor",
        {.doc = "One step of a simple recurrent network with tanh with quantised weights.",
         .sample = "input=f32[batch,6], hx=f32[batch,8], w_ih=[i8[8,6], f32[8]], w_hh=[i8[8,8], f32[8]]"}),
    op<cell<Kind::rnn_relu>>(
        "quantized::quantized_rnn_relu_cell_dynamic(Tensor input, Tensor hx, "
        "__torch__.torch.classes.quantized.LinearPackedParamsBase w_ih, "
        "__torch__.torch.classes.quantized.LinearPackedParamsBase w_hh, Tensor b_ih, Tensor b_hh) -> Tensor",
        {.doc = "One step of a simple recurrent network with relu with quantised weights.",
         .sample = "input=f32[batch,6], hx=f32[batch,8], w_ih=[i8[8,6], f32[8]], w_hh=[i8[8,8], f32[8]]"}),
    op<make_dynamic>(
        "quantized::make_quantized_cell_params_dynamic(__torch__.torch.classes.quantized."
        "LinearPackedParamsBase w_ih, __torch__.torch.classes.quantized.LinearPackedParamsBase w_hh, Tensor "
        "bias_ih, Tensor bias_hh, bool reduce_range=False) -> __torch__.torch.classes.rnn.CellParamsBase",
        {.doc = "Keeps the quantised weights of a recurrent layer in an object.",
         .sample = "w_ih=[i8[32,6], f32[32]], w_hh=[i8[32,8], f32[32]]"}),
    op<make_half>("quantized::make_quantized_cell_params_fp16(__torch__.torch.classes.quantized."
                  "LinearPackedParamsBase w_ih, __torch__.torch.classes.quantized.LinearPackedParamsBase "
                  "w_hh) -> __torch__.torch.classes.rnn.CellParamsBase",
                  {.doc = "Keeps the f16 weights of a recurrent layer in an object.",
                   .sample = "w_ih=[f32[32,6], f32[32]], w_hh=[f32[32,8], f32[32]]"}),
};

}  // namespace
}  // namespace quantized_recurrent

std::span<const Declaration> packed_recurrent_ops() { return quantized_recurrent::kRecurrent; }

}  // namespace cameo::aten
