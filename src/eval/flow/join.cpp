#include "eval/flow/join.h"

#include <fmt/core.h>

#include <optional>

#include "aten/quantization.h"
#include "onnx/infer/join.h"

namespace cameo::eval {
namespace {

constexpr const char* kDoubtful =
    "which tensor this is depends on the run, so that an in-place change of it cannot be followed";

std::optional<DType> element_dtype(Evaluation& ev, const ListState& list) {
  if (list.sequence) return list.sequence->type.dtype;
  if (list.items.empty()) return std::nullopt;
  if (const CellPtr* cell = list.items[0].get_if<CellPtr>()) return ev.memory.cells().read(*cell).dtype();
  return std::nullopt;
}

bool same_tensor(const aten::Tensor& a, const aten::Tensor& b) {
  return a.value == b.value && aten::same_parameters(a.quantizer, b.quantizer);
}

// Parameters of a tensor that is never read: those of the other path if they are visible here.
aten::QuantizerPtr placeholder_parameters(onnx::Emit& e, const aten::Quantizer& like) {
  aten::Quantizer quantizer = like;
  for (onnx::Value** value : {&quantizer.scale, &quantizer.zero_point})
    if (!e.visible(*value)) *value = placeholder(e, (*value)->type);
  return std::make_shared<aten::Quantizer>(quantizer);
}

Conflict conflict(const Value& a, const Value& b) {
  return Conflict{fmt::format("it is {} on one path and {} on another, which depends on a runtime value",
                              describe(a), describe(b))};
}

}  // namespace

onnx::Value* placeholder(onnx::Emit& e, const onnx::Type& type) {
  if (type.kind == onnx::Type::Kind::sequence)
    return e.op("SequenceEmpty", {}, {{"dtype", std::int64_t{onnx::to_onnx(type.dtype)}}});
  std::vector<std::int64_t> shape;
  std::int64_t count = 1;
  if (type.shape)
    for (const Dim& dim : *type.shape) {
      shape.push_back(dim.as_constant().value_or(1));
      count *= shape.back();
    }
  if (count > 1024) {
    for (std::int64_t& dim : shape) dim = std::min<std::int64_t>(dim, 1);
    count = 1;
  }
  const std::size_t bytes = as_size(count) * size_of(type.dtype);
  return e.constant(
      std::make_shared<onnx::Data>(type.dtype, std::move(shape), std::vector<std::byte>(bytes)));
}

onnx::Value* Joiner::first(const Leaf& leaf) {
  onnx::Value* value = nullptr;
  in_first([&] { value = ev_.emit.materialize(leaf()); });
  return value;
}

onnx::Value* Joiner::second(const Leaf& leaf) {
  onnx::Value* value = nullptr;
  in_second([&] { value = ev_.emit.materialize(leaf()); });
  return value;
}

onnx::Type Joiner::join_types(const onnx::Type& a, const onnx::Type& b) const {
  onnx::Type type = a;
  if (!a.shape || !b.shape || a.shape->size() != b.shape->size()) {
    type.shape.reset();
    return type;
  }
  for (std::size_t i = 0; i < a.shape->size(); ++i) {
    const Dim& left = (*a.shape)[i];
    const bool same_size = left == (*b.shape)[i] && ev_.emit.visible(left);
    if (!same_size) (*type.shape)[i] = fresh_size(type);
  }
  return type;
}

Dim Joiner::fresh_size(const onnx::Type& type) const {
  if (type.kind == onnx::Type::Kind::tensor) return ev_.emit.fresh_dim("dim");
  return ev_.emit.sym().symbol("dim", {0, std::nullopt}, onnx::kVaries);
}

Value Joiner::join(const Value& a, const Value& b) {
  if (same(a, b)) return a;
  if (a.is<Unknown>() || b.is<Unknown>()) return Unknown{};
  if (a.is<Conflict>()) return a;
  if (b.is<Conflict>()) return b;
  if (a.is<Uninitialized>()) return join_with_nothing(b, false);
  if (b.is<Uninitialized>()) return join_with_nothing(a, true);
  if (a.is_none() || b.is_none() || a.is<OptionalPtr>() || b.is<OptionalPtr>()) return join_optional(a, b);
  if (a.is<CellPtr>() && b.is<CellPtr>()) return join_cells(*a.get_if<CellPtr>(), *b.get_if<CellPtr>());
  if (a.is_bool() && b.is_bool()) return merge_booleans(a, b);
  if (a.is_int() && b.is_int()) return merge_integers(*a.get_if<Dim>(), *b.get_if<Dim>());
  if ((a.is_float() || a.is_int()) && (b.is_float() || b.is_int()))
    return RuntimeFloat{merge(first([&] { return ev_.emit.cast(ev_.values.tensor(a), DType::f64); }),
                              second([&] { return ev_.emit.cast(ev_.values.tensor(b), DType::f64); }))};
  const TuplePtr *ta = a.get_if<TuplePtr>(), *tb = b.get_if<TuplePtr>();
  if (ta && tb && (*ta)->items.size() == (*tb)->items.size()) {
    auto tuple = std::make_shared<Tuple>(**ta);
    for (std::size_t i = 0; i < tuple->items.size(); ++i)
      tuple->items[i] = join((*ta)->items[i], (*tb)->items[i]);
    return TuplePtr(tuple);
  }
  const ListPtr *la = a.get_if<ListPtr>(), *lb = b.get_if<ListPtr>();
  if (la && lb) {
    auto [slot, fresh] = joined_.try_emplace({la->get(), lb->get()});
    if (!fresh) return slot->second;
    ListState state = join_lists(list_state(first_, *la), list_state(second_, *lb));
    return slot->second = ListPtr(std::make_shared<List>(
               List{ev_.memory.journal().now(), std::move(state.items), state.sequence}));
  }
  const DictPtr *da = a.get_if<DictPtr>(), *db = b.get_if<DictPtr>();
  if (da && db) {
    State state = join(State(dict_state(first_, *da)), State(dict_state(second_, *db)));
    return DictPtr(
        std::make_shared<Dict>(Dict{ev_.memory.journal().now(), std::get<DictState>(std::move(state))}));
  }
  const ObjectPtr *oa = a.get_if<ObjectPtr>(), *ob = b.get_if<ObjectPtr>();
  if (oa && ob && (*oa)->cls == (*ob)->cls && (*oa)->packed == (*ob)->packed) return join_objects(*oa, *ob);
  return conflict(a, b);
}

State Joiner::join(const State& a, const State& b) {
  if (const auto* va = std::get_if<std::optional<Value>>(&a)) {
    const auto& vb = std::get<std::optional<Value>>(b);
    if (!*va || !vb) return std::optional<Value>();
    return std::optional<Value>(join(**va, *vb));
  }
  if (const auto* ca = std::get_if<CellState>(&a)) {
    const auto& cb = std::get<CellState>(b);
    if (same_tensor(ca->tensor, cb.tensor)) return a;
    return CellState{merge_tensors(ca->tensor, cb.tensor), 0};
  }
  if (const auto* la = std::get_if<ListState>(&a)) {
    const auto& lb = std::get<ListState>(b);
    return join_lists(*la, lb);
  }
  const auto& da = std::get<DictState>(a);
  const auto& db = std::get<DictState>(b);
  DictState out;
  for (const auto& [key, value] : da) {
    const Value* other = nullptr;
    for (const auto& [key_b, value_b] : db)
      if (same(key, key_b)) other = &value_b;
    out.emplace_back(
        key, other ? join(value, *other) : Value(Conflict{"the dictionary holds this key on one path only"}));
  }
  for (const auto& [key, value] : db) {
    bool known = false;
    for (const auto& [key_a, value_a] : da) known = known || same(key, key_a);
    if (!known) out.emplace_back(key, Conflict{"the dictionary holds this key on one path only"});
  }
  return out;
}

aten::Tensor Joiner::merge_tensors(const aten::Tensor& a, const aten::Tensor& b) {
  if (a.dtype() != b.dtype())
    throw aten::Unsupported(
        fmt::format("a tensor is {} on one path and {} on another", name(a.dtype()), name(b.dtype())));
  aten::Tensor result = merge(first([&] { return a.value; }), second([&] { return b.value; }));
  if (a.quantizer) result.quantizer = merge_quantizers(*a.quantizer, *b.quantizer);
  result.complex = a.complex;
  return result;
}

aten::QuantizerPtr Joiner::merge_quantizers(const aten::Quantizer& a, const aten::Quantizer& b) {
  if (a.axis != b.axis) throw aten::Unsupported("a tensor is quantised along different axes on two paths");
  const auto merged = [&](onnx::Value* left, onnx::Value* right) {
    if (left == right && ev_.emit.visible(left)) return left;
    return merge(first([&] { return left; }), second([&] { return right; }));
  };
  onnx::Value* scale = merged(a.scale, b.scale);
  return std::make_shared<aten::Quantizer>(
      aten::Quantizer{scale, merged(a.zero_point, b.zero_point), a.axis});
}

bool Joiner::may_be_older(const CellPtr& a, const CellPtr& b) const {
  return older(a->born) || older(b->born) || a->view || b->view;
}

void Joiner::restart(const Outcome* second) {
  second_ = second;
  joined_.clear();
  partner_.clear();
}

aten::Tensor Joiner::read(const Outcome* outcome, const CellPtr& cell) {
  if (outcome)
    if (auto found = outcome->tensors.find(cell.get()); found != outcome->tensors.end()) return found->second;
  return ev_.memory.cells().read(cell);
}

ListState Joiner::list_state(const Outcome* outcome, const ListPtr& list) {
  if (const Effect* effect = outcome ? outcome->find(list) : nullptr)
    return std::get<ListState>(effect->after);
  return {list->items, list->sequence};
}

DictState Joiner::dict_state(const Outcome* outcome, const DictPtr& dict) {
  if (const Effect* effect = outcome ? outcome->find(dict) : nullptr)
    return std::get<DictState>(effect->after);
  return dict->items;
}

Value Joiner::join_cells(const CellPtr& a, const CellPtr& b) {
  auto [slot, fresh] = joined_.try_emplace({a.get(), b.get()});
  if (!fresh) return slot->second;
  aten::Tensor ta, tb;
  in_first([&] { ta = read(first_, a); });
  in_second([&] { tb = read(second_, b); });
  if (ta.dtype() != tb.dtype()) {
    return slot->second = Conflict{fmt::format("it is a tensor of {} on one path and of {} on another",
                                               name(ta.dtype()), name(tb.dtype()))};
  }
  Value result = ev_.memory.make_tensor(same_tensor(ta, tb) ? ta : merge_tensors(ta, tb));
  const CellPtr& cell = *result.get_if<CellPtr>();
  const bool split =
      !partner_.try_emplace(a.get(), b.get()).second || !partner_.try_emplace(b.get(), a.get()).second;
  if (split || may_be_older(a, b)) cell->doubtful = kDoubtful;
  return slot->second = result;
}

Value Joiner::merge_integers(const Dim& a, const Dim& b) {
  onnx::Value* merged =
      merge(first([&] { return ev_.emit.dim(a); }), second([&] { return ev_.emit.dim(b); }));
  return ev_.emit.number(merged);
}

Value Joiner::merge_booleans(const Value& a, const Value& b) {
  return RuntimeBool{
      merge(first([&] { return ev_.values.condition(a); }), second([&] { return ev_.values.condition(b); }))};
}

// One side never set the variable. Its value is never read there, so a placeholder stands for it.
Value Joiner::join_with_nothing(const Value& present, bool present_first) {
  if (const CellPtr* cell = present.get_if<CellPtr>()) {
    aten::Tensor tensor;
    if (present_first)
      in_first([&] { tensor = read(first_, *cell); });
    else
      in_second([&] { tensor = read(second_, *cell); });
    aten::Tensor other = placeholder(ev_.emit, tensor->type);
    other.complex = tensor.complex;
    if (tensor.quantizer) other.quantizer = placeholder_parameters(ev_.emit, *tensor.quantizer);
    Value result =
        ev_.memory.make_tensor(present_first ? merge_tensors(tensor, other) : merge_tensors(other, tensor));
    if ((*cell)->view || older((*cell)->born)) (*result.get_if<CellPtr>())->doubtful = kDoubtful;
    return result;
  }
  if (const TuplePtr* tuple = present.get_if<TuplePtr>()) {
    auto out = std::make_shared<Tuple>(**tuple);
    for (Value& item : out->items) item = join_with_nothing(item, present_first);
    return TuplePtr(out);
  }
  if (const ListPtr* list = present.get_if<ListPtr>()) {
    const ListState state = list_state(present_first ? first_ : second_, *list);
    auto out = std::make_shared<List>(List{ev_.memory.journal().now()});
    for (const Value& item : state.items) out->items.push_back(join_with_nothing(item, present_first));
    if (state.sequence) {
      const Leaf own = [&] { return state.sequence; };
      const Leaf none = [&] { return placeholder(ev_.emit, state.sequence->type); };
      out->sequence = present_first ? merge(first(own), second(none)) : merge(first(none), second(own));
    }
    return ListPtr(out);
  }
  // Known numbers, strings and objects stay as they are: only their own path reads them. A formula may not be
  // visible outside.
  if (const Dim* dim = present.get_if<Dim>(); dim && !ev_.emit.visible(*dim))
    return present_first ? merge_integers(*dim, 0) : merge_integers(0, *dim);
  if (present.is<RuntimeBool>())
    return present_first ? merge_booleans(present, false) : merge_booleans(false, present);
  if (present.is<RuntimeFloat>()) return present_first ? join(present, 0.0) : join(0.0, present);
  return present;
}

Value Joiner::join_optional(const Value& a, const Value& b) {
  auto present = [&](const Value& v) -> Value {
    if (v.is_none()) return false;
    if (const OptionalPtr* optional = v.get_if<OptionalPtr>()) return RuntimeBool{(*optional)->present};
    return true;
  };
  auto inner = [](const Value& v) -> Value {
    if (v.is_none()) return Uninitialized{};
    if (const OptionalPtr* optional = v.get_if<OptionalPtr>()) return (*optional)->value;
    return v;
  };
  Value flag = merge_booleans(present(a), present(b));
  return OptionalPtr(
      std::make_shared<Optional>(Optional{ev_.values.condition(flag), join(inner(a), inner(b))}));
}

onnx::Value* Joiner::sequence_of(const std::vector<Value>& items, onnx::Value* sequence, DType dtype) {
  if (sequence) return sequence;
  onnx::Emit& e = ev_.emit;
  if (items.empty()) return e.op("SequenceEmpty", {}, {{"dtype", std::int64_t{onnx::to_onnx(dtype)}}});
  return ev_.values.sequence(items);
}

ListState Joiner::join_lists(const ListState& a, const ListState& b) {
  if (!a.sequence && !b.sequence && a.items.size() == b.items.size()) {
    ListState state;
    for (std::size_t i = 0; i < a.items.size(); ++i) state.items.push_back(join(a.items[i], b.items[i]));
    return state;
  }
  if (a.sequence && a.sequence == b.sequence) return a;
  std::optional<DType> dtype;
  in_first([&] { dtype = element_dtype(ev_, a); });
  if (!dtype) in_second([&] { dtype = element_dtype(ev_, b); });
  if (!dtype) throw aten::Unsupported("the length of a list of values other than tensors is a runtime value");
  return {{}, merge(first([&] { return sequence_of(a.items, a.sequence, *dtype); }), second([&] {
                      return sequence_of(b.items, b.sequence, *dtype);
                    }))};
}

Value Joiner::join_objects(const ObjectPtr& a, const ObjectPtr& b) {
  auto [slot, fresh] = joined_.try_emplace({a.get(), b.get()});
  if (!fresh) return slot->second;
  auto object = std::make_shared<Object>(*a);
  object->born = ev_.memory.journal().now();
  slot->second = object;
  for (auto& [name, value] : object->attributes) {
    auto other = b->attributes.find(name);
    value = other == b->attributes.end() ? Value(Conflict{"the attribute is set on one path only"})
                                         : join(value, other->second);
  }
  return object;
}

}  // namespace cameo::eval
