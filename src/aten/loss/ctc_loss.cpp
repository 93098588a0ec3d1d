// Connectionist temporal classification: how likely label sequences are, over all their alignments in time.
#include <limits>

#include "aten/counted_loop.h"
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

// log(Σ exp(x)) over the last dimension, also where all x are -infinity.
Expr log_sum(const Expr& x) {
  const std::int64_t last = x.rank() - 1;
  const Expr most = reduce_max(x, {last}, true);
  const Expr shift = where(is_inf(most), 0, most);
  const Expr sums = reduce_sum(exp(x - shift), {last});
  return log(sums) + squeeze(shift, {last});
}

// The labels as [batch, longest]; what lies behind a sequence's end is 0.
Expr label_rows(Emit& e, const Expr& targets, Expr lengths, const Dim& batch) {
  Expr labels = cast(targets, DType::i64);
  const Expr column = unsqueeze(lengths, {1});
  const bool concatenated = targets.rank() == 1;
  const Dim longest = concatenated ? e.number(reduce_max(lengths, {0})) : targets.dim(1);
  const Expr positions = indices(e, longest);
  const Expr valid = positions < column;
  if (concatenated) {
    const Expr starts = cumulative_sum(lengths, 0) - lengths;
    const Expr at = unsqueeze(starts, {1}) + positions;
    labels = gather(labels, where(valid, at, 0), 0);
  }
  return expand(where(valid, labels, 0), {batch, longest});
}

// The labels with a blank before, between and after them.
Expr with_blanks(Emit& e, const Expr& labels, std::int64_t blank) {
  const Dim batch = labels.dim(0), length = labels.dim(1);
  const Expr blanks = filled(e.dim(blank), {batch, length, 1});
  const Expr pairs = concat({blanks, unsqueeze(labels, {2})}, 2);
  return concat({reshape(pairs, {batch, length * 2}), filled(e.dim(blank), {batch, 1})}, 1);
}

// The same a number of places later, what has no predecessor being impossible.
Expr later(const Expr& x, std::int64_t by) {
  const Expr front = filled(x.number(-kInfinity), {x.dim(0), by});
  return slice(concat({front, x}, 1), 1, 0, x.dim(1));
}

struct Sequences {
  Expr log_probs;      // [time, batch, classes]
  Expr states;         // [batch, 2 * longest + 1]
  Expr input_lengths;  // [batch, 1]
};

// The logarithm of the likelihood to stand at each state when a sequence's time is over.
Expr forward(Emit& e, const Sequences& s, std::int64_t blank) {
  const Expr& states = s.states;
  const DType dtype = s.log_probs.dtype();
  const Dim width = states.dim(1);
  // A state may be reached over the blank before it where the label differs from the last one.
  const Expr before = slice(concat({filled(e.dim(blank), {states.dim(0), 2}), states}, 1), 1, 0, width);
  const Expr skips = !equal(states, before);
  const Expr first = indices(e, width) < 1;
  const Expr zero = e.scalar(dtype, 0.0), never = e.scalar(dtype, -kInfinity);
  // Before the first moment only the place in front of the first label counts: it leads to the first two
  // states.
  const Expr start = expand(where(first, zero, never), states.shape());

  const auto at_moment = [&](Expr moment, const std::vector<Expr>& carried) -> TurnResults {
    const Expr now = carried[0];
    const Expr emitted = gather_elements(gather(s.log_probs, moment, 0), states, 1);
    const Expr over = where(skips, later(now, 2), never);
    std::vector<Expr> ways;
    for (const Expr& way : {now, later(now, 1), over}) ways.push_back(unsqueeze(way, {2}));
    const Expr reached = log_sum(concat(ways, 2)) + emitted;
    const Expr open = moment < s.input_lengths;
    return {.carried = {where(open, reached, now)}};
  };
  return counted_loop(e, "moments", s.log_probs.dim(0), {e.materialize(start)}, at_moment).carried[0];
}

Expr ctc(Emit& e, const Expr& log_probs, const Expr& targets, Expr input_lengths, Expr target_lengths,
         std::int64_t blank, std::int64_t reduction, bool zero_infinity) {
  const bool single = log_probs.rank() == 2;
  if (!single && log_probs.rank() != 3)
    throw ProgramError("'log_probs' must have the shape [time, batch, classes]");
  if (!is_floating(log_probs.dtype())) throw ProgramError("'log_probs' must have a floating-point type");
  const Expr x = single ? Expr(unsqueeze(log_probs, {1})) : log_probs;
  const Dim batch = x.dim(1);
  auto lengths_of = [&](Expr lengths) { return reshape(cast(lengths, DType::i64), {batch}); };
  const Expr lengths = lengths_of(target_lengths);
  const Expr states = with_blanks(e, label_rows(e, targets, lengths, batch), blank);
  const Sequences s{x, states, unsqueeze(lengths_of(input_lengths), {1})};
  const Expr likely = forward(e, s, blank);

  // A sequence ends in its last label or in the blank behind it.
  const Expr last = unsqueeze(lengths * 2, {1});
  const Expr label = last - 1;
  const Expr none = label < 0;
  auto at = [&](Expr place) { return gather_elements(likely, place, 1); };
  const Expr in_label = where(none, -kInfinity, at(maximum(label, 0)));
  Expr loss = -log_sum(concat({at(last), in_label}, 1));
  if (zero_infinity) loss = where(is_inf(loss), 0, loss);
  if (reduction == 1) loss = loss / cast(maximum(lengths, 1), x.dtype());
  if (reduction == 0 && single) return reshape(loss, {});
  return reduce_loss(loss, reduction);
}

Expr ctc_loss(Emit& e, Expr log_probs, Expr targets, Expr input_lengths, Expr target_lengths,
              std::int64_t blank, std::int64_t reduction, bool zero_infinity) {
  return ctc(e, log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity);
}
Expr ctc_loss_lists(Emit& e, Expr log_probs, Expr targets, Shape input_lengths, Shape target_lengths,
                    std::int64_t blank, std::int64_t reduction, bool zero_infinity) {
  return ctc(e, log_probs, targets, e.dims(input_lengths), e.dims(target_lengths), blank, reduction,
             zero_infinity);
}

// Without the logarithms on the way to the loss. Only the gradient needs them and zero_infinity.
Returns ctc_loss_each(Emit& e, Expr log_probs, Expr targets, Expr input_lengths, Expr target_lengths,
                      std::int64_t blank, bool) {
  const Expr loss = ctc(e, log_probs, targets, input_lengths, target_lengths, blank, 0, false);
  return {Arg{Tensor(loss)}, Arg{None{}}};
}
Returns ctc_loss_each_lists(Emit& e, Expr log_probs, Expr targets, Shape input_lengths, Shape target_lengths,
                            std::int64_t blank, bool zero_infinity) {
  return ctc_loss_each(e, log_probs, targets, e.dims(input_lengths), e.dims(target_lengths), blank,
                       zero_infinity);
}

constexpr Declaration kCtcLoss[] = {
    op<ctc_loss_each>("aten::_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor "
                      "target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)",
                      {.doc = "How unlikely each label sequence is, over all alignments in time."}),
    op<ctc_loss_each_lists>(
        "aten::_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int "
        "blank=0, bool zero_infinity=False) -> (Tensor, Tensor)",
        {.doc = "How unlikely each label sequence is, over all alignments in time."}),
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
