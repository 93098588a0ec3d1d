// Fake quantisation with an observer of ranges, as PyTorch's default configuration of quantisation-aware
// training has it.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/quantized/fake_grid.h"

namespace cameo::aten {
namespace {

// Smaller scales are replaced by this one.
constexpr double kSmallScale = static_cast<double>(6.1e-5F);

struct Observer {
  double averaging_const;
  std::int64_t least, most;
  std::int64_t axis;
  bool per_channel, symmetric;

  double steps() const { return static_cast<double>(most - least); }
  std::optional<std::int64_t> channel_axis() const {
    return per_channel ? std::optional(axis) : std::nullopt;
  }
};

Expr wide(const Expr& x) { return cast(x, DType::f64); }
Expr single(const Expr& x) { return cast(x, DType::f32); }

// Over all elements, or all elements of a channel: f32 of [] or [channels].
Expr observed_extreme(Emit& e, const char* op, const Expr& x, const Observer& observer) {
  Axes axes;
  const std::int64_t axis = observer.per_channel ? x.wrap(observer.axis) : -1;
  for (std::int64_t i = 0; i < x.rank(); ++i)
    if (i != axis) axes.push_back(i);
  const Expr number = single(x);
  if (axes.empty()) return number;
  return e.op(op, {number, e.ints(axes)}, {{"keepdims", std::int64_t{0}}});
}

// The moving average. An observer that has seen nothing holds an infinity, or no elements.
Expr moving_average(const Expr& running, const Expr& current, double weight) {
  if (running->has_rank() && running.rank() > 0 && running.dim(0).as_constant() == 0) return current;
  const Expr before = reshape(running, current.shape());
  return where(is_inf(before), current, before + (current - before) * weight);
}

struct ObservedRange {
  Expr least, most, both;  // `both`: there were numbers on both sides of zero
};

// The range with zero in it; symmetric around it where asked for.
ObservedRange widened_range(const Expr& least, const Expr& most, const Observer& observer) {
  const Expr both = least < 0 && most > 0;
  Expr low = least, high = most;
  if (observer.symmetric) {
    const std::int64_t half = (observer.most - observer.least) / 2;
    const double bottom = static_cast<double>(-(half + 1)), top = static_cast<double>(half);
    const Expr scale = wide(maximum(abs(least / bottom), abs(most / top)));
    low = where(both, single(scale * bottom), least);
    high = where(both, single(scale * top), most);
  }
  return {minimum(low, 0), maximum(high, 0), both};
}

// PyTorch's ChooseQuantizationParams, in double precision as there.
std::pair<Expr, Expr> choose_grid(const Expr& running_min, const Expr& running_max,
                                  const Observer& observer) {
  ObservedRange range = widened_range(running_min, running_max, observer);
  Expr scale = (wide(range.most) - wide(range.least)) / observer.steps();
  const Expr rounded = single(scale);
  scale = where(equal(rounded, 0) || is_inf(reciprocal(rounded)), 0.1, scale);
  const Expr small = scale < kSmallScale;
  const Expr amplifier = single(kSmallScale / wide(single(scale)));
  const double reach = static_cast<double>(static_cast<float>(kSmallScale * observer.steps()));
  const Expr no_low = equal(range.least, 0), no_high = equal(range.most, 0);
  const Expr high = where(no_low, reach, where(no_high, range.most, range.most * amplifier));
  const Expr low = where(no_low, range.least, where(no_high, -reach, range.least * amplifier));
  const Expr least = wide(where(small, low, range.least)), most = wide(where(small, high, range.most));
  scale = where(small, kSmallScale, scale);
  const double bottom = static_cast<double>(observer.least), top = static_cast<double>(observer.most);
  const Expr below = least / scale, above = most / scale;
  const Expr from_least = std::abs(bottom) - abs(below), from_most = std::abs(top) - abs(above);
  Expr zero = where(from_least < from_most, bottom - below, top - above);
  if (observer.symmetric) zero = where(range.both, (bottom + top) / 2, zero);
  return {single(scale), cast(round(clip(zero, bottom, top)), DType::i32)};
}

// A result in the shape of its buffer, which has no elements as long as nothing was observed.
Expr like_buffer(const Expr& result, const Expr& buffer) {
  const Expr typed = cast_like(result, buffer);
  const bool unused = !buffer->has_rank() || (buffer.rank() > 0 && buffer.dim(0).as_constant() == 0);
  return unused ? typed : reshape(typed, buffer.shape());
}

Expr observed_end(Emit& e, const char* op, const Expr& x, const Expr& running, const Observer& observer) {
  return like_buffer(moving_average(running, observed_extreme(e, op, x, observer), observer.averaging_const),
                     running);
}

// A flag that the program knows, or a condition.
struct ObserverSwitch {
  std::optional<bool> known;
  Expr on;
};

ObserverSwitch observer_switch(const Expr& flag) {
  const Expr on = cast(as_number(flag), DType::boolean);
  if (const auto known = known_number(on)) return {*known != 0, on};
  return {std::nullopt, on};
}

// The result, its mask, and the buffers afterwards. PyTorch computes scale and zero point from the running range even
// if the observer is off.
std::vector<Expr> functional_observer(Emit& e, Expr self, Expr observer_on, Expr fake_quant_on,
                                      Expr running_min, Expr running_max, Expr scale, Expr zero_point,
                                      double averaging_const, std::int64_t quant_min, std::int64_t quant_max,
                                      std::int64_t ch_axis, bool per_row_fake_quant, bool symmetric_quant) {
  const Observer observer{averaging_const, quant_min,          quant_max,
                          ch_axis,         per_row_fake_quant, symmetric_quant};
  const ObserverSwitch observing = observer_switch(observer_on), faking = observer_switch(fake_quant_on);
  if (observing.known != false) {
    const Expr least = observed_end(e, "ReduceMin", self, running_min, observer);
    const Expr most = observed_end(e, "ReduceMax", self, running_max, observer);
    running_min = observing.known ? least : where(observing.on, least, running_min);
    running_max = observing.known ? most : where(observing.on, most, running_max);
  }
  std::vector<Expr> results = {self, nullptr, running_min, running_max, scale, zero_point};
  if (faking.known == false) {
    results[1] = filled_like(e.scalar(DType::boolean, std::int64_t{1}), self);
    return results;
  }
  const auto [chosen, zero] = choose_grid(running_min, running_max, observer);
  const Grid grid{chosen, zero, observer.channel_axis(), quant_min, quant_max};
  results[0] = fake_quantized(e, self, grid);
  results[1] = within_grid(e, self, grid);
  results[4] = like_buffer(chosen, scale);
  results[5] = like_buffer(zero, zero_point);
  if (faking.known) return results;
  results[0] = where(faking.on, results[0], self);
  results[1] = !faking.on || results[1];
  results[4] = where(faking.on, results[4], scale);
  results[5] = where(faking.on, results[5], zero_point);
  return results;
}

// The same without the mask.
std::vector<Expr> fused_observer(Emit& e, Expr self, Expr observer_on, Expr fake_quant_on, Expr running_min,
                                 Expr running_max, Expr scale, Expr zero_point, double averaging_const,
                                 std::int64_t quant_min, std::int64_t quant_max, std::int64_t ch_axis,
                                 bool per_row_fake_quant, bool symmetric_quant) {
  std::vector<Expr> results = functional_observer(e, self, observer_on, fake_quant_on, running_min,
                                                  running_max, scale, zero_point, averaging_const, quant_min,
                                                  quant_max, ch_axis, per_row_fake_quant, symmetric_quant);
  results.erase(results.begin() + 1);
  return results;
}

constexpr std::string_view kObserverSample =
    "observer_on=u8[1], fake_quant_on=u8[1], running_min=f32[], running_max=f32[], scale=f32[1], "
    "zero_point=i32[1], averaging_const=0.01, quant_min=0, quant_max=255, ch_axis=-1";

constexpr Declaration kFakeObserver[] = {
    op<fused_observer>(
        "aten::fused_moving_avg_obs_fake_quant(Tensor self, Tensor observer_on, Tensor fake_quant_on, "
        "Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, float "
        "averaging_const, int quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool "
        "symmetric_quant=False) -> (Tensor, Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))",
        {.doc = "Rounds to the values of quantised numbers; an observer that is on chooses their scale.",
         .sample = kObserverSample}),
    op<functional_observer>(
        "aten::_fused_moving_avg_obs_fq_helper(Tensor self, Tensor observer_on, Tensor fake_quant_on, "
        "Tensor(a!) "
        "running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, float "
        "averaging_const, int "
        "quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False) "
        "-> "
        "(Tensor output, Tensor mask, Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))",
        {.doc =
             "Rounds to the values of quantised numbers, with the mask; an observer that is on chooses their "
             "scale.",
         .sample = kObserverSample}),
    op<functional_observer>(
        "aten::_fused_moving_avg_obs_fq_helper_functional(Tensor self, Tensor observer_on, Tensor "
        "fake_quant_on, "
        "Tensor running_min, Tensor running_max, Tensor scale, Tensor zero_point, float averaging_const, int "
        "quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False) "
        "-> "
        "(Tensor output, Tensor mask, Tensor running_min_out, Tensor running_max_out, Tensor scale_out, "
        "Tensor "
        "zero_point_out)",
        {.doc =
             "Rounds to the values of quantised numbers; the last results are the buffers of the observer.",
         .sample = kObserverSample}),
};

}  // namespace

std::span<const Declaration> fake_observer_ops() { return kFakeObserver; }

}  // namespace cameo::aten
