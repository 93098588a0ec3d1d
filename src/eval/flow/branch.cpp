#include "eval/flow/branch.h"

#include <fmt/core.h>

#include "eval/flow/join.h"

namespace cameo::eval {

struct Brancher::Side {
  onnx::Graph* graph = nullptr;
  Outcome outcome;
  std::optional<Raised> raised;
  bool returned = false;
  Value result;
};

namespace {

std::optional<sym::Condition> as_condition(const Value& value, bool truth) {
  const SymBool* condition = value.get_if<SymBool>();
  if (!condition) return std::nullopt;
  return truth ? *condition : sym::negation(*condition);
}

// Merges the two sides: each pair of values becomes an output of one If node.
class IfJoiner : public Joiner {
 public:
  IfJoiner(Evaluation& ev, Time since, onnx::Value* condition, onnx::Graph* then_graph,
           const Outcome& then_outcome, onnx::Graph* else_graph, const Outcome& else_outcome)
      : Joiner(ev, since, &then_outcome, &else_outcome),
        condition_(condition),
        then_(then_graph),
        else_(else_graph) {}

  void finish() {
    if (outputs_.empty()) return;
    ev_.emit.control("If", {condition_}, {{"then_branch", then_}, {"else_branch", else_}}, outputs_);
  }

 protected:
  void in_first(const std::function<void()>& work) override {
    onnx::Emit::Scope scope(ev_.emit, then_);
    work();
  }
  void in_second(const std::function<void()>& work) override {
    onnx::Emit::Scope scope(ev_.emit, else_);
    work();
  }
  onnx::Value* merge(onnx::Value* a, onnx::Value* b) override {
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (pairs_[i] == std::pair(a, b)) return outputs_[i];
    pairs_.emplace_back(a, b);
    in_first([&] { ev_.emit.graph_output(then_, a); });
    in_second([&] { ev_.emit.graph_output(else_, b); });
    onnx::Value* output = ev_.emit.pending(join_types(a->type, b->type));
    outputs_.push_back(output);
    return output;
  }
  Value merge_booleans(const Value& a, const Value& b) override {
    const bool *ka = a.get_if<bool>(), *kb = b.get_if<bool>();
    if (ka != nullptr && kb != nullptr)
      return RuntimeBool{*ka ? condition_ : ev_.emit.op("Not", {condition_})};
    return Joiner::merge_booleans(a, b);
  }

 private:
  onnx::Value* condition_;
  onnx::Graph *then_, *else_;
  std::vector<std::pair<onnx::Value*, onnx::Value*>> pairs_;
  std::vector<onnx::Value*> outputs_;
};

}  // namespace

Brancher::Side Brancher::evaluate(const Value& condition, bool truth, const std::function<void()>& work) {
  Side side;
  onnx::Emit& e = ev_.emit;
  side.graph = e.new_graph(truth ? "then" : "else");
  const script::Range range = frame_.range;
  Journal::Level level(ev_.memory.journal());
  {
    onnx::Emit::Scope scope(e, side.graph);
    sym::Scope assumptions(e.sym());
    if (std::optional<sym::Condition> known = as_condition(condition, truth)) e.sym().assume(*known);
    try {
      work();
    } catch (Raised& raised) {
      side.raised = std::move(raised);
    }
    if (!side.raised) side.outcome.tensors = ev_.memory.tensors_at(level.places());
  }
  side.returned = std::exchange(frame_.returned, false);
  side.result = std::exchange(frame_.result, None{});
  frame_.range = range;
  side.outcome.set_effects(level.roll_back());
  return side;
}

void Brancher::assume(const Value& condition, bool truth, const std::string& message) {
  const std::string_view unnamed = truth ? "a condition holds" : "a condition does not hold";
  const std::optional<sym::Condition> known = as_condition(condition, truth);
  if (!known) return ev_.reporter.assume(fmt::format("{} (otherwise: {})", unnamed, message));
  ev_.emit.sym().assume(*known);
  ev_.reporter.assume(*known, message);
}

void Brancher::run(const Value& condition_value, const std::function<void()>& then_work,
                   const std::function<void()>& else_work) {
  const Time since = ev_.memory.journal().tick();
  const Findings::Mark before = ev_.reporter.findings().mark();
  Side then_side = evaluate(condition_value, true, then_work);
  if (then_side.raised) {
    ev_.reporter.findings().rewind(before);
    assume(condition_value, false, then_side.raised->message);
    else_work();
    return;
  }
  Side else_side = evaluate(condition_value, false, else_work);
  if (else_side.raised) {
    ev_.reporter.findings().rewind(before);
    assume(condition_value, true, else_side.raised->message);
    then_work();
    return;
  }
  if (condition_value.is<Unknown>()) {
    forget(then_side, else_side);
    return;
  }
  if (then_side.returned != else_side.returned)
    ev_.reporter.fail(Code::unsupported_syntax,
                      "a 'return' stands on one side of a condition that depends on a runtime value");
  merge(condition_value, since, then_side, else_side);
}

// The condition is unknown: so is everything that either side wrote.
void Brancher::forget(const Side& then_side, const Side& else_side) {
  for (const Side* side : {&then_side, &else_side})
    for (const Effect& effect : side->outcome.effects())
      if (std::holds_alternative<std::optional<Value>>(effect.after))
        ev_.memory.put(effect.place, std::optional<Value>(Unknown{}));
  frame_.returned = then_side.returned && else_side.returned;
  if (frame_.returned) frame_.result = Unknown{};
}

void Brancher::merge(const Value& condition_value, Time since, const Side& then_side, const Side& else_side) {
  IfJoiner joiner(ev_, since, ev_.emit.materialize(ev_.values.condition(condition_value)), then_side.graph,
                  then_side.outcome, else_side.graph, else_side.outcome);
  std::vector<std::pair<Place, State>> results;
  auto join = [&](const Place& place, const State& a, const State& b) {
    try {
      results.emplace_back(place, joiner.join(a, b));
    } catch (const aten::Unsupported& unsupported) {
      ev_.reporter.report(
          ev_.reporter.diagnostic(Severity::error, Code::unsupported_branch, unsupported.what()));
    }
  };
  for (const Effect& effect : then_side.outcome.effects()) {
    const Effect* other = else_side.outcome.find(effect.place);
    join(effect.place, effect.after, other ? other->after : effect.before);
  }
  for (const Effect& effect : else_side.outcome.effects())
    if (!then_side.outcome.find(effect.place)) join(effect.place, effect.before, effect.after);
  if (then_side.returned) {
    frame_.returned = true;
    frame_.result = joiner.join(then_side.result, else_side.result);
  }
  {
    OriginScope origin(ev_.emit, ev_.reporter, "prim::If");
    joiner.finish();
  }
  for (auto& [place, state] : results) ev_.memory.put(place, std::move(state));
}

Value Brancher::choose(const Value& condition_value, const std::function<Value()>& then_value,
                       const std::function<Value()>& else_value) {
  static constexpr std::string_view kSlot = "<conditional>";
  const auto keep = [this](Value value) { ev_.memory.assign(frame_.environment, kSlot, std::move(value)); };
  run(
      condition_value, [&] { keep(then_value()); }, [&] { keep(else_value()); });
  return *frame_.environment->find(kSlot);
}

}  // namespace cameo::eval
