#include "eval/flow/loop_joiner.h"

#include "aten/quantization.h"

namespace cameo::eval {

void LoopJoiner::begin_pass(onnx::Graph* body) {
  body_ = body;
  changed_ = false;
  for (Carried& c : carried_) c.input->graph = body;
}

void LoopJoiner::collect(const Outcome& outcome) {
  collecting_ = true;
  restart(&outcome);
}

void LoopJoiner::in_first(const std::function<void()>& work) {
  onnx::Emit::Scope scope(ev_.emit, loop_.outside);
  work();
}

void LoopJoiner::in_second(const std::function<void()>& work) {
  onnx::Emit::Scope scope(ev_.emit, body_);
  work();
}

onnx::Value* LoopJoiner::merge(onnx::Value* a, onnx::Value* b) {
  for (Carried& c : carried_) {
    if (c.input != a) continue;
    if (collecting_)
      c.next = b;
    else
      widen(c, b->type);
    return a;
  }
  if (collecting_) throw InternalError("a loop carries a value that was not foreseen");
  return carry(a, b->type);
}

onnx::Value* LoopJoiner::carry(onnx::Value* initial, const onnx::Type& next) {
  changed_ = true;
  Carried c;
  c.initial = initial;
  // The type of an empty list does not say what it will hold.
  const bool empty = initial->producer && initial->producer->op == "SequenceEmpty";
  const onnx::Type& before = empty ? next : initial->type;
  c.type = join_types(before, next);
  c.input = ev_.emit.pending(c.type);
  c.input->graph = body_;
  if (c.type.shape)
    for (std::size_t i = 0; i < c.type.shape->size(); ++i) {
      c.widened.push_back((*c.type.shape)[i] != (*before.shape)[i]);
      if (c.widened[i]) bind_size(c, i);
    }
  carried_.push_back(c);
  return carried_.back().input;
}

Value LoopJoiner::merge_integers(const Dim& a, const Dim& b) {
  for (Induction& induction : inductions_) {
    if (induction.refuted || induction.formula != a) continue;
    if (b == a + induction.step) return a;
    induction.refuted = true;
    changed_ = true;
    return carry_integer(induction.initial, b);
  }
  for (const auto& [symbol, index] : integers_)
    if (symbol == a) {
      if (collecting_) carried_[index].next = second([&] { return ev_.emit.dim(b); });
      return a;
    }
  if (collecting_) throw InternalError("a loop carries a number that was not foreseen");
  changed_ = true;
  const Dim step = b - a;
  if (loop_.count && step.is_constant()) {
    for (const Induction& induction : inductions_)
      if (induction.refuted && induction.initial == a && induction.step == step) return carry_integer(a, b);
    inductions_.push_back({a, step, a + step * loop_.iteration});
    return inductions_.back().formula;
  }
  return carry_integer(a, b);
}

Dim LoopJoiner::carry_integer(const Dim& a, const Dim& b) {
  onnx::Emit& e = ev_.emit;
  Carried c;
  {
    onnx::Emit::Scope scope(e, loop_.outside);
    c.initial = e.materialize(e.dim(a));
  }
  c.type = onnx::Type{onnx::Type::Kind::tensor, DType::i64, Shape{}};
  c.input = e.pending(c.type);
  c.input->graph = body_;
  if (collecting_) c.next = second([&] { return e.dim(b); });
  Dim symbol = e.sym().symbol("carried", sym::kAnyInteger);
  e.bind_number(symbol, c.input);
  integers_.emplace_back(symbol, carried_.size());
  carried_.push_back(c);
  return symbol;
}

void LoopJoiner::bind_size(const Carried& c, std::size_t axis) {
  if (c.type.kind == onnx::Type::Kind::tensor)
    ev_.emit.bind_dim((*c.type.shape)[axis], c.input, static_cast<std::int64_t>(axis));
}

void LoopJoiner::widen(Carried& c, const onnx::Type& other) {
  if (!c.type.shape) return;
  if (!other.shape || other.shape->size() != c.type.shape->size()) {
    c.type.shape.reset();
    changed_ = true;
  } else {
    for (std::size_t i = 0; i < c.type.shape->size(); ++i) {
      Dim& dim = (*c.type.shape)[i];
      if (c.widened[i] || dim == (*other.shape)[i]) continue;
      dim = fresh_size(c.type);
      bind_size(c, i);
      c.widened[i] = true;
      changed_ = true;
    }
  }
  c.input->type = c.type;
}

onnx::Value* LoopJoiner::final_of(onnx::Value* value) const {
  for (const Carried& c : carried_)
    if (c.input == value) return c.final;
  return value;
}

aten::Tensor LoopJoiner::final_of(aten::Tensor tensor) const {
  tensor.value = final_of(tensor.value);
  if (const aten::QuantizerPtr& q = tensor.quantizer)
    tensor.quantizer = std::make_shared<aten::Quantizer>(
        aten::Quantizer{final_of(q->scale), final_of(q->zero_point), q->axis});
  return tensor;
}

State LoopJoiner::leave(State state) {
  if (auto* value = std::get_if<std::optional<Value>>(&state)) {
    if (*value) **value = leave(**value);
  } else if (auto* cell = std::get_if<CellState>(&state)) {
    cell->tensor = final_of(cell->tensor);
  } else if (auto* list = std::get_if<ListState>(&state)) {
    for (Value& item : list->items) item = leave(item);
    if (list->sequence) list->sequence = final_of(list->sequence);
  } else {
    for (auto& [key, item] : std::get<DictState>(state)) item = leave(item);
  }
  return state;
}

Value LoopJoiner::leave(const Value& value) {
  if (const CellPtr* cell = value.get_if<CellPtr>()) return leave_tensor(*cell);
  if (const Dim* dim = value.get_if<Dim>()) return leave_integer(*dim);
  if (const RuntimeBool* flag = value.get_if<RuntimeBool>()) return RuntimeBool{final_of(flag->value)};
  if (const RuntimeFloat* number = value.get_if<RuntimeFloat>()) return RuntimeFloat{final_of(number->value)};
  if (const OptionalPtr* optional = value.get_if<OptionalPtr>())
    return OptionalPtr(
        std::make_shared<Optional>(Optional{final_of((*optional)->present), leave((*optional)->value)}));
  if (const TuplePtr* tuple = value.get_if<TuplePtr>()) {
    auto out = std::make_shared<Tuple>(**tuple);
    for (Value& item : out->items) item = leave(item);
    return TuplePtr(out);
  }
  // Containers from before the loop are places of their own.
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

Value LoopJoiner::leave_tensor(const CellPtr& cell) {
  auto [slot, fresh] = left_.try_emplace(cell.get());
  if (!fresh) return slot->second;
  const aten::Tensor tensor = final_of(cell->tensor);
  if (tensor.value == cell->tensor.value && aten::same_parameters(tensor.quantizer, cell->tensor.quantizer))
    return slot->second = cell;
  Value out = ev_.memory.make_tensor(tensor);
  (*out.get_if<CellPtr>())->doubtful = cell->doubtful;
  return slot->second = out;
}

Value LoopJoiner::leave_integer(const Dim& dim) {
  for (const Induction& induction : inductions_)
    if (!induction.refuted && induction.formula == dim)
      return induction.initial + induction.step * *loop_.count;
  for (const auto& [symbol, index] : integers_)
    if (symbol == dim) return ev_.emit.number(carried_[index].final);
  return dim;
}

}  // namespace cameo::eval
