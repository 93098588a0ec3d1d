#include "eval/loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "eval/join.h"

namespace cameo::eval {
namespace {

constexpr std::int64_t kMaxTurns = 1'000'000;  // of a loop over numbers and lists
constexpr std::int64_t kMaxUnrolled = 10'000;  // of a loop that cannot be said as a Loop
constexpr int kMaxPasses = 64;

// Whether there is an error since the mark; warnings do not count.
bool failed(const Findings& findings, const Findings::Mark& since) {
  return std::any_of(findings.diagnostics.begin() + static_cast<std::ptrdiff_t>(since.diagnostics),
                     findings.diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

// A leaf that changes from turn to turn.
struct Carried {
  onnx::Value* initial = nullptr;  // outside
  onnx::Value* input = nullptr;    // of the body
  onnx::Value* next = nullptr;     // output of the body
  onnx::Value* final = nullptr;    // output of the Loop
  onnx::Type type;
  std::vector<bool> widened;  // axes whose size changes from turn to turn
};

// An integer that grows by the same step in each turn needs no carrying: it is a formula of the turn's
// number.
struct Induction {
  Dim initial, step, formula;
  bool refuted = false;
};

// Finds what a loop carries: joins what a place held before the turn with what it holds after it.
class LoopJoiner : public Joiner {
 public:
  LoopJoiner(Evaluator& ev, Time since, bool counted, bool runs_once)
      : Joiner(ev, since, nullptr, nullptr), counted_(counted), runs_once_(runs_once) {}
  void begin_pass(const Outcome* outcome) { restart(outcome); }

  std::vector<Carried> carried;
  std::vector<Induction> inductions;
  onnx::Graph* outside = nullptr;
  onnx::Graph* body = nullptr;
  Dim turn;
  bool changed = false;
  bool collecting = false;  // the shapes are settled: note what the body hands on

 protected:
  void in_first(const std::function<void()>& work) override {
    onnx::Emit::Scope scope(ev_.emit(), outside);
    work();
  }
  void in_second(const std::function<void()>& work) override {
    onnx::Emit::Scope scope(ev_.emit(), body);
    work();
  }

  onnx::Value* merge(onnx::Value* a, onnx::Value* b) override {
    for (Carried& c : carried) {
      if (c.input != a) continue;
      if (collecting) {
        c.next = b;
        return a;
      }
      widen(c, b->type);
      return a;
    }
    if (collecting) throw InternalError("a loop carries a value that was not foreseen");
    changed = true;
    Carried c;
    c.initial = a;
    // An empty list says nothing of what will be in it.
    const bool empty = a->producer && a->producer->op == "SequenceEmpty";
    const onnx::Type& before = empty ? b->type : a->type;
    c.type = join_types(before, b->type);
    c.input = ev_.emit().pending(c.type);
    c.input->graph = body;
    if (c.type.shape)
      for (std::size_t i = 0; i < c.type.shape->size(); ++i) {
        c.widened.push_back((*c.type.shape)[i] != (*before.shape)[i]);
        if (c.widened[i]) bind_size(c, i);
      }
    carried.push_back(c);
    return carried.back().input;
  }

  Value merge_integers(const Dim& a, const Dim& b) override {
    onnx::Emit& e = ev_.emit();
    for (Induction& induction : inductions) {
      if (induction.refuted || induction.formula != a) continue;
      if (b == a + induction.step) return a;
      induction.refuted = true;
      changed = true;
      return carry_integer(induction.initial, b);
    }
    for (const auto& [symbol, index] : integers_)
      if (symbol == a) {
        if (collecting) carried[index].next = second([&] { return e.dim(b); });
        return a;
      }
    if (collecting) throw InternalError("a loop carries a number that was not foreseen");
    changed = true;
    const Dim step = b - a;
    if (counted_ && step.is_constant()) {
      for (const Induction& induction : inductions)
        if (induction.refuted && induction.initial == a && induction.step == step) return carry_integer(a, b);
      inductions.push_back({a, step, a + step * turn});
      return inductions.back().formula;
    }
    return carry_integer(a, b);
  }

  bool may_be_older(const CellPtr& a, const CellPtr& b) const override {
    return runs_once_ && body_only_ ? b->view.has_value() : Joiner::may_be_older(a, b);
  }

 public:
  // After the loop only what the last turn left counts, if there was one.
  void after_loop() { body_only_ = true; }

  // The value with every carried leaf replaced by what the loop leaves behind.
  Value leave(const Value& value) {
    if (const CellPtr* cell = value.get_if<CellPtr>()) {
      auto [slot, fresh] = left_.try_emplace(cell->get());
      if (!fresh) return slot->second;
      for (const Carried& c : carried)
        if ((*cell)->tensor.value == c.input) {
          aten::Tensor tensor = c.final;
          tensor.quantizer = (*cell)->tensor.quantizer;
          Value out = ev_.wrap(tensor);
          (*out.get_if<CellPtr>())->doubtful = (*cell)->doubtful;
          return slot->second = out;
        }
      return slot->second = value;
    }
    if (const Dim* dim = value.get_if<Dim>()) {
      for (const Induction& induction : inductions)
        if (!induction.refuted && induction.formula == *dim)
          return induction.initial + induction.step * *turns;
      for (const auto& [symbol, index] : integers_)
        if (symbol == *dim) return ev_.emit().number(carried[index].final);
      return value;
    }
    if (const RuntimeBool* flag = value.get_if<RuntimeBool>()) return RuntimeBool{final_of(flag->value)};
    if (const RuntimeFloat* number = value.get_if<RuntimeFloat>())
      return RuntimeFloat{final_of(number->value)};
    if (const OptionalPtr* optional = value.get_if<OptionalPtr>())
      return OptionalPtr(
          std::make_shared<Optional>(Optional{final_of((*optional)->present), leave((*optional)->value)}));
    if (const TuplePtr* tuple = value.get_if<TuplePtr>()) {
      auto out = std::make_shared<Tuple>(**tuple);
      for (Value& item : out->items) item = leave(item);
      return TuplePtr(out);
    }
    // Containers that existed before are places of their own.
    if (const ListPtr* list = value.get_if<ListPtr>(); list && !older((*list)->born)) {
      for (Value& item : (*list)->items) item = leave(item);
      if ((*list)->sequence) (*list)->sequence = final_of((*list)->sequence);
    }
    if (const DictPtr* dict = value.get_if<DictPtr>(); dict && !older((*dict)->born))
      for (auto& [key, item] : (*dict)->items) item = leave(item);
    if (const ObjectPtr* object = value.get_if<ObjectPtr>(); object && !older((*object)->born))
      for (auto& [name, item] : (*object)->attributes) item = leave(item);
    return value;
  }
  State leave(State state) {
    if (auto* value = std::get_if<std::optional<Value>>(&state)) {
      if (*value) **value = leave(**value);
    } else if (auto* cell = std::get_if<CellState>(&state)) {
      aten::Tensor tensor = final_of(cell->tensor);
      tensor.quantizer = cell->tensor.quantizer;
      cell->tensor = tensor;
    } else if (auto* list = std::get_if<ListState>(&state)) {
      for (Value& item : list->items) item = leave(item);
      if (list->sequence) list->sequence = final_of(list->sequence);
    } else {
      for (auto& [key, item] : std::get<DictState>(state)) item = leave(item);
    }
    return state;
  }
  std::optional<Dim> turns;  // of a counted loop

 private:
  onnx::Value* final_of(onnx::Value* value) const {
    for (const Carried& c : carried)
      if (c.input == value) return c.final;
    return value;
  }

  Dim carry_integer(const Dim& a, const Dim& b) {
    onnx::Emit& e = ev_.emit();
    Carried c;
    {
      onnx::Emit::Scope scope(e, outside);
      c.initial = e.materialize(e.dim(a));
    }
    c.type = onnx::Type{onnx::Type::Kind::tensor, DType::i64, Shape{}};
    c.input = e.pending(c.type);
    c.input->graph = body;
    if (collecting) c.next = second([&] { return e.dim(b); });
    Dim symbol = e.sym().symbol("carried", sym::kAnyInteger);
    e.bind_number(symbol, c.input);
    integers_.emplace_back(symbol, carried.size());
    carried.push_back(c);
    return symbol;
  }

  void bind_size(const Carried& c, std::size_t axis) {
    if (c.type.kind == onnx::Type::Kind::tensor)
      ev_.emit().bind_dim((*c.type.shape)[axis], c.input, static_cast<std::int64_t>(axis));
  }

  void widen(Carried& c, const onnx::Type& other) {
    if (!c.type.shape) return;
    if (!other.shape || other.shape->size() != c.type.shape->size()) {
      c.type.shape.reset();
      changed = true;
    } else {
      for (std::size_t i = 0; i < c.type.shape->size(); ++i) {
        Dim& dim = (*c.type.shape)[i];
        if (c.widened[i] || dim == (*other.shape)[i]) continue;
        dim = fresh_size(c.type);
        bind_size(c, i);
        c.widened[i] = true;
        changed = true;
      }
    }
    c.input->type = c.type;
  }

  bool counted_, runs_once_, body_only_ = false;
  std::vector<std::pair<Dim, std::size_t>> integers_;
  std::map<const void*, Value> left_;
};

}  // namespace

void Looper::run_counted(std::string_view variable, const Value& count_value, const script::Block& body) {
  if (count_value.is<Unknown>()) {
    ev_.assign(frame_, variable, Unknown{});
    ev_.run(frame_, body);
    return;
  }
  Plan plan;
  plan.body = [&](const Dim& turn) {
    ev_.assign(frame_, variable, turn);
    ev_.run(frame_, body);
  };
  const Dim* count = count_value.get_if<Dim>();
  if (!count) ev_.fail("type-mismatch", fmt::format("the number of turns is {}", describe(count_value)));
  plan.count = sym::max(*count, 0);
  run(plan);
}

void Looper::run_while(const script::Expr& condition, const script::Block& body) {
  Plan plan;
  plan.body = [&](const Dim&) { ev_.run(frame_, body); };
  plan.condition = [&] { return ev_.evaluate(frame_, condition); };
  run(plan);
}

void Looper::run(const Plan& plan) {
  const std::optional<std::int64_t> known = plan.count ? plan.count->as_constant() : std::nullopt;
  if (known && (*known == 0 || *known <= ev_.options_.unroll)) {
    interpret(plan, true);
    return;
  }
  const Findings::Mark before = ev_.findings().mark();
  if (plan.condition && ev_.options_.unroll > 0) {
    Journal::Level level(ev_.journal());
    if (interpret(plan, true, std::min(ev_.options_.unroll, kMaxUnrolled)) == Tried::done) {
      level.keep();
      return;
    }
    ev_.findings().rewind(before);
  }
  {
    Journal::Level level(ev_.journal());
    onnx::Emit::Scope scope(ev_.emit(), ev_.emit().new_graph("scratch"));
    if (interpret(plan, false) == Tried::done) {
      level.keep();
      return;
    }
  }
  ev_.findings().rewind(before);
  const bool may_unroll = known && *known <= kMaxUnrolled;
  {
    Journal::Level level(ev_.journal());
    try {
      emit_loop(plan);
      if (!may_unroll || !failed(ev_.findings(), before)) {
        level.keep();
        return;
      }
    } catch (const Raised&) {
      // Raised because of what could not be evaluated with the turn's number unknown.
      if (!may_unroll || !failed(ev_.findings(), before)) throw;
    } catch (const aten::Unsupported& unsupported) {
      if (!may_unroll) {
        ev_.report(
            ev_.diagnostic(Severity::error, Stage::evaluate, "unsupported-loop",
                           fmt::format("this loop cannot be said as an ONNX Loop: {}", unsupported.what())));
        return;
      }
    }
  }
  ev_.findings().rewind(before);
  interpret(plan, true);
}

// Runs turn by turn. Unless it may emit freely, gives up as soon as a turn creates a node or the end cannot
// be decided.
Looper::Tried Looper::interpret(const Plan& plan, bool emit_freely, std::int64_t limit) {
  const std::size_t nodes = ev_.emit().scope()->nodes.size();
  auto emitted = [&] { return !emit_freely && ev_.emit().scope()->nodes.size() != nodes; };
  for (std::int64_t turn = 0;; ++turn) {
    if (plan.condition) {
      std::optional<bool> go_on = ev_.decide(plan.condition());
      if (!go_on) return Tried::undecided;
      if (!*go_on) return Tried::done;
    } else {
      const sym::Truth go_on = ev_.emit().sym().less(turn, *plan.count);
      if (go_on == sym::Truth::unknown) return Tried::undecided;
      if (go_on == sym::Truth::no) return Tried::done;
    }
    if (turn == limit) return Tried::undecided;
    plan.body(turn);
    if (emitted()) return Tried::emits;
    if (frame_.returned) return Tried::done;
    if (turn > kMaxTurns) ev_.fail("endless-loop", "this loop does not end");
  }
}

void Looper::emit_loop(const Plan& plan) {
  onnx::Emit& e = ev_.emit();
  onnx::Graph* outside = e.scope();
  const Time since = ev_.journal().tick();
  const bool runs_once = plan.count && e.sym().less(0, *plan.count) == sym::Truth::yes;

  onnx::Value* first_condition = plan.condition ? e.materialize(ev_.condition(plan.condition())) : nullptr;
  onnx::Value* iteration = e.pending({onnx::Type::Kind::tensor, DType::i64, Shape{}});
  onnx::Value* condition_in = e.pending({onnx::Type::Kind::tensor, DType::boolean, Shape{}});
  LoopJoiner joiner(ev_, since, plan.count.has_value(), runs_once);
  joiner.outside = outside;
  joiner.turn = e.sym().symbol("i", {0, std::nullopt});
  joiner.turns = plan.count;
  e.bind_number(joiner.turn, iteration);

  struct Held {
    Place place;
    State before, now;
  };
  std::vector<Held> held;
  std::map<PlaceKey, std::size_t> places;
  onnx::Value* go_on = nullptr;
  for (int pass = 0;; ++pass) {
    if (pass == kMaxPasses) throw aten::Unsupported("the shapes that it carries do not settle");
    onnx::Graph* body = e.new_graph("body");
    joiner.body = body;
    joiner.changed = false;
    Outcome outcome;
    for (onnx::Value* input : {iteration, condition_in}) input->graph = body;
    for (Carried& c : joiner.carried) c.input->graph = body;
    Journal::Level level(ev_.journal());
    for (const Held& h : held) {
      ev_.journal().touch(h.place);
      restore(h.place, h.now);
    }
    {
      onnx::Emit::Scope scope(e, body);
      sym::Scope assumptions(e.sym());
      if (plan.count) e.sym().assume_less(joiner.turn, *plan.count);
      plan.body(joiner.turn);
      if (frame_.returned) throw aten::Unsupported("it returns from inside");
      go_on = plan.condition ? e.materialize(ev_.condition(plan.condition())) : condition_in;
      outcome.tensors = ev_.settle(level.places());
    }
    outcome.set_effects(level.roll_back());
    joiner.begin_pass(&outcome);
    for (const Effect& effect : outcome.effects()) {
      PlaceKey key = key_of(effect.place);
      if (!places.contains(key)) {
        if (const auto* value = std::get_if<std::optional<Value>>(&effect.before); value && !*value) continue;
        places.emplace(key, held.size());
        held.push_back({effect.place, effect.before, effect.before});
      }
      Held& h = held[places.at(key)];
      h.now = joiner.join(h.now, effect.after);
    }
    if (joiner.changed) continue;
    joiner.collecting = true;
    joiner.begin_pass(&outcome);
    for (const Effect& effect : outcome.effects())
      if (const auto found = places.find(key_of(effect.place)); found != places.end())
        joiner.join(held[found->second].now, effect.after);
    break;
  }
  onnx::Graph* body = joiner.body;
  body->inputs = {iteration, condition_in};
  std::vector<onnx::Value*> inputs = {plan.count ? e.materialize(e.dim(*plan.count)) : nullptr,
                                      first_condition ? first_condition : nullptr};
  std::vector<onnx::Value*> finals;
  {
    onnx::Emit::Scope scope(e, body);
    e.graph_output(body, go_on);
    for (Carried& c : joiner.carried) {
      body->inputs.push_back(c.input);
      e.graph_output(body, c.next ? c.next : c.input);
    }
  }
  for (Carried& c : joiner.carried) {
    inputs.push_back(e.materialize(c.initial));
    onnx::Type type = c.type;
    if (type.shape)
      for (Dim& dim : *type.shape)
        if (!e.visible(dim)) dim = e.fresh_dim("dim");
    c.final = e.pending(type);
    finals.push_back(c.final);
  }
  frame_.range = range_;
  const onnx::Origin* outer = e.origin();
  e.set_origin(ev_.origin("prim::Loop"));
  if (!finals.empty()) e.control("Loop", inputs, {{"body", body}}, finals);
  e.set_origin(outer);
  joiner.after_loop();
  for (Held& h : held) {
    ev_.journal().touch(h.place);
    State state = joiner.leave(h.now);
    if (CellState* cell = std::get_if<CellState>(&state)) cell->version = ev_.journal().tick();
    restore(h.place, std::move(state));
  }
}

}  // namespace cameo::eval
