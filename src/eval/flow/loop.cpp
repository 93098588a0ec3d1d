// The evaluation of a loop
//
// Looper::run tries these forms in order and takes the first that works. A form that fails is rolled back.
//   1. Unrolled, if the trip count is 0 or the options ask for it.
//   2. Run at export time, in a scratch graph: works if no iteration emits a node and the end is decided.
//   3. As an ONNX Loop (LoopEmitter).
//   4. Unrolled, if the trip count is known and the body has no form as the body of a Loop.
//
// LoopEmitter finds the values that the loop carries, by evaluating the body until nothing new is found:
//   a. Evaluate the body in a new graph, with an unknown iteration number. Places that an earlier pass found
//   to
//      be written hold carried values. Collect the effects and roll them back.
//   b. Join the state of each written place before the iteration with its state after it (LoopJoiner). A leaf
//      that differs becomes a carried value: an input of the body. A size that differs becomes a new symbol.
//   c. If b found a new carried value or another type for one, repeat from a.
//   d. Otherwise join once more and note the value of each carried leaf at the end of the body: its outputs.
//   e. Emit the Loop node: trip count, condition and initial values are its inputs.
//   f. Write to each place its state after the loop: carried values are replaced by the outputs of the Loop.

#include "eval/flow/loop.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "eval/flow/loop_joiner.h"

namespace cameo::eval {
namespace {

constexpr std::int64_t kMaxIterations = 1'000'000;  // of a loop over numbers and lists
constexpr std::int64_t kMaxUnrolled = 10'000;       // of a loop that has no form as a Loop
constexpr int kMaxPasses = 64;

// The condition now; null for a counted loop.
onnx::Value* condition_of(Evaluation& ev, const LoopPlan& plan) {
  return plan.condition ? ev.emit.materialize(ev.values.condition(plan.condition())).value : nullptr;
}

// Emits one ONNX Loop. Throws aten::Unsupported if the body has no form as the body of a Loop.
class LoopEmitter {
 public:
  // `range` is that of the loop.
  LoopEmitter(Evaluation& evaluation, Frame& frame, script::Range range, const LoopPlan& plan)
      : ev_(evaluation),
        frame_(frame),
        range_(range),
        plan_(plan),
        since_(evaluation.memory.journal().tick()),
        first_condition_(condition_of(evaluation, plan)),
        iteration_(evaluation.emit.pending({onnx::Type::Kind::tensor, DType::i64, Shape{}})),
        condition_in_(evaluation.emit.pending({onnx::Type::Kind::tensor, DType::boolean, Shape{}})),
        number_(evaluation.emit.sym().symbol("i", {0, std::nullopt})),
        joiner_(evaluation, since_, {evaluation.emit.scope(), number_, plan.count}) {
    ev_.emit.bind_number(number_, iteration_);
  }

  void emit() {
    for (int pass = 0; !find_carried(); ++pass)
      if (pass + 1 == kMaxPasses)
        throw aten::Unsupported("the shapes of its carried values change in each iteration");
    finish_body();
    make_node();
    leave();
  }

 private:
  // A place that an iteration writes.
  struct Written {
    Place place;
    State now;  // at the start of an iteration
  };

  bool find_carried();
  Outcome evaluate_body();
  void join(const Outcome& outcome);
  void collect(const Outcome& outcome);
  void finish_body();
  void make_node();
  void leave();

  Evaluation& ev_;
  Frame& frame_;
  script::Range range_;
  const LoopPlan& plan_;
  Time since_;
  onnx::Value* first_condition_;            // null for a counted loop
  onnx::Value *iteration_, *condition_in_;  // inputs of the body
  Dim number_;                              // of the iteration: the integer in iteration_
  LoopJoiner joiner_;
  onnx::Graph* body_ = nullptr;
  onnx::Value* condition_out_ = nullptr;  // output of the body
  std::vector<Written> written_;
  std::map<PlaceKey, std::size_t> index_;  // in written_
};

// One pass of steps a to d. Whether all carried values are known.
bool LoopEmitter::find_carried() {
  body_ = ev_.emit.new_graph("body");
  for (onnx::Value* input : {iteration_, condition_in_}) input->graph = body_;
  joiner_.begin_pass(body_);
  const Outcome outcome = evaluate_body();
  join(outcome);
  if (joiner_.changed()) return false;
  collect(outcome);
  return true;
}

Outcome LoopEmitter::evaluate_body() {
  onnx::Emit& e = ev_.emit;
  Outcome outcome;
  Journal::Level level(ev_.memory.journal());
  for (const Written& written : written_) {
    ev_.memory.touch(written.place);
    restore(written.place, written.now);
  }
  {
    onnx::Emit::Scope scope(e, body_);
    sym::Scope assumptions(e.sym());
    if (plan_.count) e.sym().assume_less(number_, *plan_.count);
    plan_.body(number_);
    if (frame_.returned) throw aten::Unsupported("it has a return statement in its body");
    condition_out_ = plan_.condition ? condition_of(ev_, plan_) : condition_in_;
    outcome.tensors = ev_.memory.tensors_at(level.places());
  }
  outcome.set_effects(level.roll_back());
  return outcome;
}

void LoopEmitter::join(const Outcome& outcome) {
  joiner_.search(outcome);
  for (const Effect& effect : outcome.effects()) {
    const PlaceKey key = key_of(effect.place);
    if (!index_.contains(key)) {
      // A variable that did not exist before the loop does not exist after it.
      if (const auto* value = std::get_if<std::optional<Value>>(&effect.before); value && !*value) continue;
      index_.emplace(key, written_.size());
      written_.push_back({effect.place, effect.before});
    }
    Written& written = written_[index_.at(key)];
    written.now = joiner_.join(written.now, effect.after);
  }
}

void LoopEmitter::collect(const Outcome& outcome) {
  joiner_.collect(outcome);
  for (const Effect& effect : outcome.effects())
    if (const auto found = index_.find(key_of(effect.place)); found != index_.end())
      joiner_.join(written_[found->second].now, effect.after);
}

void LoopEmitter::finish_body() {
  body_->inputs = {iteration_, condition_in_};
  onnx::Emit::Scope scope(ev_.emit, body_);
  ev_.emit.graph_output(body_, condition_out_);
  for (Carried& c : joiner_.carried()) {
    body_->inputs.push_back(c.input);
    ev_.emit.graph_output(body_, c.next ? c.next : c.input);
  }
}

void LoopEmitter::make_node() {
  onnx::Emit& e = ev_.emit;
  std::vector<onnx::Value*> inputs = {plan_.count ? e.materialize(e.dim(*plan_.count)).value : nullptr,
                                      first_condition_};
  std::vector<onnx::Value*> outputs;
  for (Carried& c : joiner_.carried()) {
    inputs.push_back(e.materialize(c.initial));
    onnx::Type type = c.type;
    if (type.shape)
      for (Dim& dim : *type.shape)
        if (!e.visible(dim)) dim = e.fresh_dim("dim");
    c.final = e.pending(type);
    outputs.push_back(c.final);
  }
  frame_.range = range_;
  OriginScope origin(e, ev_.reporter, "prim::Loop");
  if (!outputs.empty()) e.control("Loop", inputs, {{"body", body_}}, outputs);
}

void LoopEmitter::leave() {
  for (Written& written : written_) ev_.memory.put(written.place, joiner_.leave(std::move(written.now)));
}

}  // namespace

void Looper::run_counted(std::string_view variable, const Value& count_value,
                         const std::function<void()>& body) {
  if (count_value.is<Unknown>()) {
    ev_.memory.assign(frame_.environment, variable, Unknown{});
    body();
    return;
  }
  LoopPlan plan;
  plan.body = [&](const Dim& iteration) {
    ev_.memory.assign(frame_.environment, variable, iteration);
    body();
  };
  const Dim* count = count_value.get_if<Dim>();
  if (!count)
    ev_.reporter.fail(
        Code::type_mismatch,
        fmt::format("the number of iterations must be an integer, but is {}", describe(count_value)));
  plan.count = sym::max(*count, 0);
  run(plan);
}

void Looper::run_while(std::function<Value()> condition, const std::function<void()>& body) {
  LoopPlan plan;
  plan.body = [&](const Dim&) { body(); };
  plan.condition = std::move(condition);
  run(plan);
}

void Looper::run(const LoopPlan& plan) {
  const std::optional<std::int64_t> known = plan.count ? plan.count->as_constant() : std::nullopt;
  if (known && (*known == 0 || *known <= unroll_)) {
    interpret(plan, true);
    return;
  }
  Findings& findings = ev_.reporter.findings();
  const Findings::Mark before = findings.mark();
  const bool may_unroll = known && *known <= kMaxUnrolled;
  if (try_unrolled_while(plan)) return;
  findings.rewind(before);
  if (try_without_nodes(plan)) return;
  findings.rewind(before);
  if (try_loop(plan, may_unroll)) return;
  findings.rewind(before);
  interpret(plan, true);
}

// Form 1 for a while loop.
bool Looper::try_unrolled_while(const LoopPlan& plan) {
  if (!plan.condition || unroll_ <= 0) return false;
  Journal::Level level(ev_.memory.journal());
  if (interpret(plan, true, std::min(unroll_, kMaxUnrolled)) != Tried::done) return false;
  level.keep();
  return true;
}

// Form 2.
bool Looper::try_without_nodes(const LoopPlan& plan) {
  Journal::Level level(ev_.memory.journal());
  onnx::Emit::Scope scope(ev_.emit, ev_.emit.new_graph("scratch"));
  if (interpret(plan, false) != Tried::done) return false;
  level.keep();
  return true;
}

// Form 3. False: the loop must be unrolled.
bool Looper::try_loop(const LoopPlan& plan, bool may_unroll) {
  const Findings& findings = ev_.reporter.findings();
  const Findings::Mark before = findings.mark();
  Journal::Level level(ev_.memory.journal());
  try {
    LoopEmitter(ev_, frame_, range_, plan).emit();
  } catch (const Raised&) {
    // The program may raise only because an operator needs the iteration's number.
    if (!may_unroll || !findings.failed_since(before)) throw;
    return false;
  } catch (const aten::Unsupported& unsupported) {
    if (may_unroll) return false;
    ev_.reporter.report(
        ev_.reporter.diagnostic(Severity::error, Code::unsupported_loop,
                                fmt::format("this loop cannot become an ONNX Loop: {}", unsupported.what())));
    return true;
  }
  if (may_unroll && findings.failed_since(before)) return false;
  level.keep();
  return true;
}

// Runs iteration by iteration. If it may not emit freely, it stops as soon as an iteration emits a node or
// the end cannot be decided.
Looper::Tried Looper::interpret(const LoopPlan& plan, bool emit_freely, std::int64_t limit) {
  const std::size_t nodes = ev_.emit.scope()->nodes.size();
  auto emitted = [&] { return !emit_freely && ev_.emit.scope()->nodes.size() != nodes; };
  for (std::int64_t iteration = 0;; ++iteration) {
    if (plan.condition) {
      std::optional<bool> continues = ev_.values.decide(plan.condition());
      if (!continues) return Tried::undecided;
      if (!*continues) return Tried::done;
    } else {
      const sym::Truth continues = ev_.emit.sym().less(iteration, *plan.count);
      if (continues == sym::Truth::unknown) return Tried::undecided;
      if (continues == sym::Truth::no) return Tried::done;
    }
    if (iteration == limit) return Tried::undecided;
    plan.body(iteration);
    if (emitted()) return Tried::emits;
    if (frame_.returned) return Tried::done;
    if (iteration > kMaxIterations) ev_.reporter.fail(Code::endless_loop, "this loop does not end");
  }
}

}  // namespace cameo::eval
