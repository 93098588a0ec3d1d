// Connectionist temporal classification: how likely label sequences are, over all their alignments in time.
#include <limits>

#include "aten/counted_loop.h"
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using onnx::Value;

// log(Σ exp(x)) over the last dimension, also where all x are -infinity.
Value* log_sum(Emit& e, const Tensor& x) {
  const std::int64_t last = x.rank() - 1;
  Value* most = reduce(e, "ReduceMax", x, {last}, true);
  Value* shift = compute(e, "Where", {e.op("IsInf", {most}), like(e, x, 0), most});
  Value* sums = reduce(e, "ReduceSum", e.op("Exp", {e.op("Sub", {x, shift})}), {last}, false);
  return e.op("Add", {e.op("Log", {sums}), e.squeeze(shift, {last})});
}

// The labels as [batch, longest]; what lies behind a sequence's end is 0.
Tensor label_rows(Emit& e, const Tensor& targets, Value* lengths, const Dim& batch) {
  Value* labels = e.cast(targets, DType::i64);
  Value* column = e.unsqueeze(lengths, {1});
  const bool concatenated = targets.rank() == 1;
  const Dim longest = concatenated ? e.number(reduce(e, "ReduceMax", lengths, {0}, false)) : targets.dim(1);
  Value* positions = indices(e, longest);
  Value* valid = e.op("Less", {positions, column});
  if (concatenated) {
    Value* starts = e.op("Sub", {e.op("CumSum", {lengths, e.dim(0)}), lengths});
    Value* at = e.op("Add", {e.unsqueeze(starts, {1}), positions});
    labels = e.gather(labels, e.op("Where", {valid, at, e.dim(0)}), 0);
  }
  return e.expand(e.op("Where", {valid, labels, e.dim(0)}), {batch, longest});
}

// The labels with a blank before, between and after them.
Tensor with_blanks(Emit& e, const Tensor& labels, std::int64_t blank) {
  const Dim batch = labels.dim(0), length = labels.dim(1);
  Value* blanks = filled(e, e.dim(blank), {batch, length, 1});
  Value* pairs = e.concat({blanks, e.unsqueeze(labels, {2})}, 2);
  return e.concat({e.reshape(pairs, {batch, length * 2}), filled(e, e.dim(blank), {batch, 1})}, 1);
}

// The same a number of places later, what has no predecessor being impossible.
Value* later(Emit& e, const Tensor& x, std::int64_t by) {
  Value* front = filled(e, like(e, x, -kInfinity), {x.dim(0), by});
  return e.slice(e.concat({front, x}, 1), 1, 0, x.dim(1));
}

struct Sequences {
  Tensor log_probs;                // [time, batch, classes]
  Tensor states;                   // [batch, 2 * longest + 1]
  Value* input_lengths = nullptr;  // [batch, 1]
};

// The logarithm of the likelihood to stand at each state when a sequence's time is over.
Value* forward(Emit& e, const Sequences& s, std::int64_t blank) {
  const Tensor& states = s.states;
  const DType dtype = s.log_probs.dtype();
  const Dim width = states.dim(1);
  // A state may be reached over the blank before it where the label differs from the last one.
  Value* before = e.slice(e.concat({filled(e, e.dim(blank), {states.dim(0), 2}), states}, 1), 1, 0, width);
  Value* skips = e.op("Not", {e.op("Equal", {states, before})});
  Value* first = e.op("Less", {indices(e, width), e.dim(1)});
  Value *zero = e.scalar(dtype, 0.0), *never = e.scalar(dtype, -kInfinity);
  // Before the first moment only the place in front of the first label counts: it leads to the first two
  // states.
  Value* start = e.expand(compute(e, "Where", {first, zero, never}), states.shape());

  const auto at_moment = [&](Value* moment, const std::vector<Value*>& carried) -> TurnResults {
    const Tensor now = carried[0];
    Value* emitted =
        e.op("GatherElements", {e.gather(s.log_probs, moment, 0), states}, {{"axis", std::int64_t{1}}});
    Value* over = compute(e, "Where", {skips, later(e, now, 2), never});
    std::vector<Value*> ways;
    for (Value* way : {now.value, later(e, now, 1), over}) ways.push_back(e.unsqueeze(way, {2}));
    Value* reached = e.op("Add", {log_sum(e, e.concat(ways, 2)), emitted});
    Value* open = e.op("Less", {moment, s.input_lengths});
    return {.carried = {compute(e, "Where", {open, reached, now})}};
  };
  return counted_loop(e, "moments", s.log_probs.dim(0), {e.materialize(start)}, at_moment).carried[0];
}

Tensor ctc(Emit& e, const Tensor& log_probs, const Tensor& targets, Value* input_lengths,
           Value* target_lengths, std::int64_t blank, std::int64_t reduction, bool zero_infinity) {
  const bool single = log_probs.rank() == 2;
  if (!single && log_probs.rank() != 3)
    throw ProgramError("'log_probs' must have the shape [time, batch, classes]");
  if (!is_floating(log_probs.dtype())) throw ProgramError("'log_probs' must have a floating-point type");
  const Tensor x = single ? Tensor(e.unsqueeze(log_probs, {1})) : log_probs;
  const Dim batch = x.dim(1);
  auto lengths_of = [&](Value* lengths) { return e.reshape(e.cast(lengths, DType::i64), {batch}); };
  Value* lengths = lengths_of(target_lengths);
  const Tensor states = with_blanks(e, label_rows(e, targets, lengths, batch), blank);
  const Sequences s{x, states, e.unsqueeze(lengths_of(input_lengths), {1})};
  Value* likely = forward(e, s, blank);

  // A sequence ends in its last label or in the blank behind it.
  Value* last = e.unsqueeze(e.op("Mul", {lengths, e.dim(2)}), {1});
  Value* label = e.op("Sub", {last, e.dim(1)});
  Value* none = e.op("Less", {label, e.dim(0)});
  auto at = [&](Value* place) {
    return e.op("GatherElements", {likely, place}, {{"axis", std::int64_t{1}}});
  };
  Value* in_label = compute(e, "Where", {none, like(e, x, -kInfinity), at(e.op("Max", {label, e.dim(0)}))});
  Value* loss = e.op("Neg", {log_sum(e, e.concat({at(last), in_label}, 1))});
  if (zero_infinity) loss = compute(e, "Where", {e.op("IsInf", {loss}), like(e, x, 0), loss});
  if (reduction == 1) loss = e.op("Div", {loss, e.cast(e.op("Max", {lengths, e.dim(1)}), x.dtype())});
  if (reduction == 0 && single) return e.reshape(loss, {});
  return reduce_loss(e, loss, reduction);
}

Tensor ctc_loss(Emit& e, Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths,
                std::int64_t blank, std::int64_t reduction, bool zero_infinity) {
  return ctc(e, log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity);
}
Tensor ctc_loss_lists(Emit& e, Tensor log_probs, Tensor targets, Shape input_lengths, Shape target_lengths,
                      std::int64_t blank, std::int64_t reduction, bool zero_infinity) {
  return ctc(e, log_probs, targets, e.dims(input_lengths), e.dims(target_lengths), blank, reduction,
             zero_infinity);
}

constexpr Declaration kCtcLoss[] = {
    op<ctc_loss>("aten::ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor "
                 "target_lengths, int "
                 "blank=0, int reduction=1, bool zero_infinity=False) -> Tensor",
                 {.doc = "How unlikely label sequences are, over all alignments in time."}),
    op<ctc_loss_lists>("aten::ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] "
                       "target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor",
                       {.doc = "How unlikely label sequences are, over all alignments in time."}),
};

}  // namespace

std::span<const Declaration> ctc_loss_ops() { return kCtcLoss; }

}  // namespace cameo::aten
