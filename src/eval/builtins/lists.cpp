// Lists and tuples.
#include <algorithm>

#include <fmt/core.h>

#include "aten/support.h"
#include "base/index.h"
#include "eval/builtins/builtins.h"

namespace cameo::eval {
namespace lists {
namespace {

using Args = const Arguments&;
using Result = std::optional<Value>;

const ListPtr* list_at(Args args, std::size_t i) {
  return i < args.positional.size() ? args.positional[i].get_if<ListPtr>() : nullptr;
}

const std::vector<Value>& known_items(const ListPtr& list) {
  if (list->sequence) throw aten::Unsupported("the length of the list is a runtime value");
  return list->items;
}

// A list or tuple; null if it is neither.
const std::vector<Value>* items_at(Args args, std::size_t i) {
  if (i >= args.positional.size()) return nullptr;
  if (const TuplePtr* tuple = args.positional[i].get_if<TuplePtr>()) return &(*tuple)->items;
  if (const ListPtr* list = args.positional[i].get_if<ListPtr>()) return &known_items(*list);
  return nullptr;
}

bool involves_tensor(const std::vector<Value>& items) {
  return std::ranges::any_of(items, [](const Value& v) { return v.is<CellPtr>(); });
}

// The position of a Python index in a list: 0 to the size less 1.
std::int64_t index_in(Evaluation& ev, const Value& at, const std::vector<Value>& items) {
  std::int64_t index = known_int(at, "the index of a list");
  if (index < 0) index += std::ssize(items);
  if (index < 0 || index >= std::ssize(items)) ev.reporter.raise("list index out of range");
  return index;
}

// Whether two values are equal, as == in Python; nothing if that is not known at export time.
std::optional<bool> equal_values(Evaluation& ev, const Value& a, const Value& b) {
  if (same(a, b)) return true;
  const bool both_numbers = (a.is_number() || a.is_bool()) && (b.is_number() || b.is_bool());
  if (both_numbers) return ev.values.decide(ev.caller.call_operator("aten::eq", {{a, b}, {}}));
  auto items = [](const Value& v) -> const std::vector<Value>* {
    if (const TuplePtr* tuple = v.get_if<TuplePtr>()) return &(*tuple)->items;
    const ListPtr* list = v.get_if<ListPtr>();
    return list && !(*list)->sequence ? &(*list)->items : nullptr;
  };
  const std::vector<Value>*x = items(a), *y = items(b);
  if (x && y) {
    if (x->size() != y->size()) return false;
    std::optional<bool> all = true;
    for (std::size_t i = 0; i < x->size(); ++i) {
      std::optional<bool> one = equal_values(ev, (*x)[i], (*y)[i]);
      if (one == std::optional(false)) return false;
      if (!one) all = std::nullopt;
    }
    return all;
  }
  if (a.is<CellPtr>() || b.is<CellPtr>()) return std::nullopt;
  return false;
}

Result length(Evaluation& ev, Args args) {
  if (const ListPtr* list = list_at(args, 0); list && (*list)->sequence)
    return Value(ev.emit.number(ev.emit.op("SequenceLength", {(*list)->sequence})));
  const std::vector<Value>* items = items_at(args, 0);
  if (!items) return std::nullopt;
  return Value(std::ssize(*items));
}

// Whether the index comes from data. The counter of a loop does not: such a loop is repeated instead, with known items.
bool comes_from_data(Evaluation& ev, const Value& index) {
  const Dim* dim = index.get_if<Dim>();
  return dim && !dim->as_constant() && ev.emit.sym().less(*dim, 0) != sym::Truth::no;
}

// Whether the items can be a sequence of the graph: tensors of one type.
bool form_sequence(Evaluation& ev, const std::vector<Value>& items) {
  std::optional<DType> dtype;
  for (const Value& item : items) {
    const CellPtr* cell = item.get_if<CellPtr>();
    if (!cell) return false;
    const aten::Tensor tensor = ev.memory.cells().read(*cell);
    if (tensor.complex || tensor.quantizer || dtype.value_or(tensor.dtype()) != tensor.dtype()) return false;
    dtype = tensor.dtype();
  }
  return dtype.has_value();
}

// The item at an index that is a runtime value.
Result item_at_runtime(Evaluation& ev, const std::vector<Value>& items, const Value& index) {
  onnx::Value* at = ev.values.tensor(index).value;
  if (form_sequence(ev, items))
    return ev.memory.make_tensor(ev.emit.op("SequenceAt", {ev.values.sequence(items), at}));
  std::vector<Dim> numbers;
  for (const Value& item : items)
    if (const Dim* number = item.get_if<Dim>()) numbers.push_back(*number);
  if (items.empty() || numbers.size() != items.size()) return std::nullopt;
  onnx::Value* table = ev.emit.elements(DType::i64, {Dim(std::ssize(items))}, numbers);
  return Value(ev.emit.number(ev.emit.op("Gather", {table, at})));
}

Result get_item(Evaluation& ev, Args args) {
  if (const ListPtr* list = list_at(args, 0); list && (*list)->sequence)
    return ev.memory.make_tensor(ev.emit.op("SequenceAt", {(*list)->sequence, ev.values.tensor(args.at(1))}));
  const std::vector<Value>* items = items_at(args, 0);
  if (!items) return std::nullopt;
  if (comes_from_data(ev, args.at(1)))
    if (Result found = item_at_runtime(ev, *items, args.at(1))) return found;
  return element_at(*items, index_in(ev, args.at(1), *items));
}

// The position from the front of an index that may count from the end.
onnx::Value* position_in(Evaluation& ev, onnx::Value* sequence, const Value& index) {
  const Dim at = ev.emit.number(ev.values.tensor(index).value);
  if (ev.emit.sym().less(at, 0) == sym::Truth::no) return ev.emit.dim(at);
  return ev.emit.dim(sym::mod(at, ev.emit.number(ev.emit.op("SequenceLength", {sequence}))));
}

Result set_item(Evaluation& ev, Args args) {
  const ListPtr* list = list_at(args, 0);
  if (!list) return std::nullopt;
  const bool becomes_sequence =
      !(*list)->sequence && comes_from_data(ev, args.at(1)) && form_sequence(ev, (*list)->items);
  if (!(*list)->sequence && !becomes_sequence) {
    const std::int64_t index = index_in(ev, args.at(1), (*list)->items);
    ev.memory.touch(*list);
    element_at((*list)->items, index) = args.at(2);
    return args.positional[0];
  }
  if (!args.at(2).is<CellPtr>())
    throw aten::Unsupported("only tensors can be items of a list whose length is a runtime value");
  ev.memory.touch(*list);
  if (becomes_sequence) {
    (*list)->sequence = ev.values.sequence((*list)->items);
    (*list)->items.clear();
  }
  onnx::Value* at = position_in(ev, (*list)->sequence, args.at(1));
  onnx::Value* rest = ev.emit.op("SequenceErase", {(*list)->sequence, at});
  (*list)->sequence = ev.emit.op("SequenceInsert", {rest, ev.values.tensor(args.at(2)), at});
  return args.positional[0];
}

Result append(Evaluation& ev, Args args) {
  const ListPtr* list = list_at(args, 0);
  if (!list) return std::nullopt;
  ev.memory.touch(*list);
  if ((*list)->sequence) {
    if (!args.at(1).is<CellPtr>())
      throw aten::Unsupported("only tensors can be appended to a list whose length is a runtime value");
    (*list)->sequence = ev.emit.op("SequenceInsert", {(*list)->sequence, ev.values.tensor(args.at(1))});
  } else {
    (*list)->items.push_back(args.at(1));
  }
  return args.positional[0];
}

Result extend(Evaluation& ev, Args args) {
  const ListPtr* list = list_at(args, 0);
  const std::vector<Value>* more = items_at(args, 1);
  if (!list || !more) return std::nullopt;
  const std::vector<Value> items = *more;
  for (const Value& item : items) append(ev, {{args.positional[0], item}, {}});
  return Value(None{});
}

Result insert(Evaluation& ev, Args args) {
  const ListPtr* list = list_at(args, 0);
  if (!list) return std::nullopt;
  const auto count = std::ssize(known_items(*list));
  std::int64_t index = known_int(args.at(1), "the index of a list");
  if (index < 0) index += count;
  index = std::clamp<std::int64_t>(index, 0, count);
  ev.memory.touch(*list);
  (*list)->items.insert((*list)->items.begin() + index, args.at(2));
  return Value(None{});
}

Result pop(Evaluation& ev, Args args) {
  const ListPtr* list = list_at(args, 0);
  if (!list) return std::nullopt;
  if ((*list)->sequence) {
    onnx::Value* at =
        args.positional.size() > 1 ? ev.values.tensor(args.positional[1]).value : ev.emit.dim(-1);
    Value item = ev.memory.make_tensor(ev.emit.op("SequenceAt", {(*list)->sequence, at}));
    ev.memory.touch(*list);
    (*list)->sequence = ev.emit.op("SequenceErase", {(*list)->sequence, at});
    return item;
  }
  const std::vector<Value>& items = known_items(*list);
  if (items.empty()) ev.reporter.raise("pop from empty list");
  const std::int64_t index =
      args.positional.size() > 1 ? index_in(ev, args.positional[1], items) : std::ssize(items) - 1;
  Value item = element_at(items, index);
  ev.memory.touch(*list);
  (*list)->items.erase((*list)->items.begin() + index);
  return item;
}

Result remove_at(Evaluation& ev, Args args) {
  const ListPtr* list = list_at(args, 0);
  if (!list) return std::nullopt;
  if ((*list)->sequence) {
    ev.memory.touch(*list);
    (*list)->sequence = ev.emit.op("SequenceErase", {(*list)->sequence, ev.values.tensor(args.at(1))});
    return Value(None{});
  }
  const std::int64_t index = index_in(ev, args.at(1), known_items(*list));
  ev.memory.touch(*list);
  (*list)->items.erase((*list)->items.begin() + index);
  return Value(None{});
}

// The position of a value in a list, or its size.
std::int64_t position_of(Evaluation& ev, const std::vector<Value>& items, const Value& wanted) {
  std::int64_t position = 0;
  for (const Value& item : items) {
    std::optional<bool> equal = equal_values(ev, item, wanted);
    if (!equal) throw aten::Unsupported("the position of the value in the list is a runtime value");
    if (*equal) break;
    ++position;
  }
  return position;
}

Result remove(Evaluation& ev, Args args) {
  const ListPtr* list = list_at(args, 0);
  if (!list) return std::nullopt;
  const std::int64_t at = position_of(ev, known_items(*list), args.at(1));
  if (at == std::ssize((*list)->items)) ev.reporter.raise("list.remove(x): x not in list");
  ev.memory.touch(*list);
  (*list)->items.erase((*list)->items.begin() + at);
  return Value(None{});
}

Result index_of(Evaluation& ev, Args args) {
  const ListPtr* list = list_at(args, 0);
  if (!list) return std::nullopt;
  const std::int64_t at = position_of(ev, known_items(*list), args.at(1));
  if (at == std::ssize((*list)->items)) ev.reporter.raise("value is not in list");
  return Value(at);
}

Result count(Evaluation& ev, Args args) {
  const ListPtr* list = list_at(args, 0);
  if (!list) return std::nullopt;
  std::int64_t found = 0;
  for (const Value& item : known_items(*list)) {
    std::optional<bool> equal = equal_values(ev, item, args.at(1));
    if (!equal) throw aten::Unsupported("the number of occurrences in the list is a runtime value");
    found += *equal;
  }
  return Value(found);
}

Result contains(Evaluation& ev, Args args) {
  const std::vector<Value>* items = items_at(args, 0);
  if (!items) return std::nullopt;
  return Value(position_of(ev, *items, args.at(1)) < std::ssize(*items));
}

Result clear(Evaluation& ev, Args args) {
  const ListPtr* list = list_at(args, 0);
  if (!list) return std::nullopt;
  ev.memory.touch(*list);
  (*list)->items.clear();
  (*list)->sequence = nullptr;
  return Value(None{});
}

Result reverse(Evaluation& ev, Args args) {
  const ListPtr* list = list_at(args, 0);
  if (!list) return std::nullopt;
  known_items(*list);
  ev.memory.touch(*list);
  std::ranges::reverse((*list)->items);
  return Value(None{});
}

Result copy(Evaluation& ev, Args args) {
  const ListPtr* list = list_at(args, 0);
  if (list && (*list)->sequence) {
    Value out = ev.memory.make_list({});
    (*out.get_if<ListPtr>())->sequence = (*list)->sequence;
    return out;
  }
  const std::vector<Value>* items = items_at(args, 0);
  if (!items) return std::nullopt;
  return ev.memory.make_list(*items);
}

bool less(Evaluation& ev, const Value& a, const Value& b) {
  const std::string *x = a.get_if<std::string>(), *y = b.get_if<std::string>();
  if (x && y) return *x < *y;
  if (const TuplePtr* t = a.get_if<TuplePtr>(), *u = b.get_if<TuplePtr>(); t && u) {
    for (std::size_t i = 0; i < std::min((*t)->items.size(), (*u)->items.size()); ++i) {
      if (less(ev, (*t)->items[i], (*u)->items[i])) return true;
      if (less(ev, (*u)->items[i], (*t)->items[i])) return false;
    }
    return (*t)->items.size() < (*u)->items.size();
  }
  std::optional<bool> answer;
  if (a.is<ObjectPtr>())
    answer = ev.values.decide(ev.caller.call_method(*a.get_if<ObjectPtr>(), "__lt__", {{b}, {}}));
  else
    answer = ev.values.decide(ev.caller.call_operator("aten::lt", {{a, b}, {}}));
  if (!answer) throw aten::Unsupported("the order of the sorted list is a runtime value");
  return *answer;
}

// Tensors of one element each in their order; nothing if there are others.
std::optional<std::vector<Value>> sorted_tensors(Evaluation& ev, const std::vector<Value>& items,
                                                 bool reversed) {
  if (items.size() < 2 || !form_sequence(ev, items)) return std::nullopt;
  onnx::Emit& e = ev.emit;
  std::vector<onnx::Value*> rows;
  std::vector<Shape> shapes;
  for (const Value& item : items) {
    const aten::Tensor tensor = ev.values.tensor(item);
    shapes.push_back(tensor.shape());
    if (shapes.back().product().as_constant() != 1) return std::nullopt;
    rows.push_back(e.reshape(tensor.value, {1}));
  }
  const Value joined = ev.memory.make_tensor(e.concat(rows, 0));
  const Value results = ev.caller.call_operator("aten::sort", {{joined, 0, reversed}, {}});
  const TuplePtr* values_and_indices = results.get_if<TuplePtr>();
  if (!values_and_indices) return std::nullopt;
  const aten::Tensor values = ev.values.tensor((*values_and_indices)->items.at(0));
  std::vector<Value> out;
  for (const Shape& shape : shapes) {
    const std::int64_t at = std::ssize(out);
    out.push_back(ev.memory.make_tensor(e.reshape(e.slice(values.value, 0, at, at + 1), shape)));
  }
  return out;
}

std::vector<Value> sorted_items(Evaluation& ev, std::vector<Value> items, bool reversed) {
  if (std::optional<std::vector<Value>> tensors = sorted_tensors(ev, items, reversed)) return *tensors;
  std::ranges::stable_sort(
      items, [&](const Value& a, const Value& b) { return reversed ? less(ev, b, a) : less(ev, a, b); });
  return items;
}

Result sort(Evaluation& ev, Args args) {
  const ListPtr* list = list_at(args, 0);
  if (!list) return std::nullopt;
  const Value* reversed = args.find(1, "reverse");
  std::vector<Value> items =
      sorted_items(ev, known_items(*list), reversed && ev.values.decide(*reversed).value_or(false));
  ev.memory.touch(*list);
  (*list)->items = std::move(items);
  return Value(None{});
}

Result sorted(Evaluation& ev, Args args) {
  const std::vector<Value>* items = items_at(args, 0);
  if (!items) return std::nullopt;
  return ev.memory.make_list(sorted_items(ev, *items, false));
}

Result add(Evaluation& ev, Args args) {
  const std::vector<Value>*a = items_at(args, 0), *b = items_at(args, 1);
  if (!a || !b) return std::nullopt;
  std::vector<Value> items = *a;
  items.insert(items.end(), b->begin(), b->end());
  if (args.positional[0].is<TuplePtr>()) return make_tuple(std::move(items));
  return ev.memory.make_list(std::move(items));
}

Result add_in_place(Evaluation& ev, Args args) {
  if (!list_at(args, 0)) return std::nullopt;
  extend(ev, args);
  return args.positional[0];
}

Result multiply(Evaluation& ev, Args args) {
  const bool number_first = !args.positional.empty() && args.positional[0].is_int();
  const std::vector<Value>* items = items_at(args, number_first ? 1 : 0);
  if (!items || args.positional.size() != 2) return std::nullopt;
  std::vector<Value> out;
  for (std::int64_t n = known_int(args.positional[number_first ? 0 : 1], "a repetition"); n > 0; --n)
    out.insert(out.end(), items->begin(), items->end());
  return ev.memory.make_list(std::move(out));
}

Result equal(Evaluation& ev, Args args) {
  if (args.positional.size() != 2 || !items_at(args, 0) || !items_at(args, 1)) return std::nullopt;
  if (involves_tensor(*items_at(args, 0))) return std::nullopt;
  std::optional<bool> answer = equal_values(ev, args.positional[0], args.positional[1]);
  if (answer) return Value(*answer);
  const std::vector<Value>&a = *items_at(args, 0), &b = *items_at(args, 1);
  Value all = true;
  for (std::size_t i = 0; i < a.size(); ++i)
    all = ev.caller.call_operator("aten::__and__",
                                  {{all, ev.caller.call_operator("aten::eq", {{a[i], b[i]}, {}})}, {}});
  return all;
}

Result not_equal(Evaluation& ev, Args args) {
  Result answer = equal(ev, args);
  if (!answer) return std::nullopt;
  return ev.caller.call_operator("aten::__not__", {{*answer}, {}});
}

Result slice(Evaluation& ev, Args args) {
  const std::vector<Value>* items = items_at(args, 0);
  if (!items) return std::nullopt;
  const auto count = std::ssize(*items);
  const Value *start = args.find(1, "start"), *end = args.find(2, "end"), *stride = args.find(3, "step");
  const std::int64_t step = stride ? known_int(*stride, "the step of a slice") : 1;
  if (step == 0) ev.reporter.raise("slice step cannot be zero");
  auto bound = [&](const Value* v, std::int64_t absent) {
    if (!v || v->is_none()) return absent;
    std::int64_t n = known_int(*v, "a bound of a slice");
    if (n < 0) n += count;
    return step > 0 ? std::clamp<std::int64_t>(n, 0, count) : std::clamp<std::int64_t>(n, -1, count - 1);
  };
  const std::int64_t first = bound(start, step > 0 ? 0 : count - 1), last = bound(end, step > 0 ? count : -1);
  std::vector<Value> out;
  for (std::int64_t i = first; step > 0 ? i < last : i > last; i += step)
    out.push_back(element_at(*items, i));
  if (args.positional[0].is<TuplePtr>()) return make_tuple(std::move(out));
  return ev.memory.make_list(std::move(out));
}

// min, max, sum, all, any of a list.
template <bool Minimum>
Result extreme(Evaluation& ev, Args args) {
  const std::vector<Value>* items = items_at(args, 0);
  if (!items) return std::nullopt;
  if (args.positional.size() == 2) {
    const std::vector<Value>* other = items_at(args, 1);
    if (!other) return std::nullopt;
    return less(ev, args.positional[0], args.positional[1]) == Minimum ? args.positional[0]
                                                                       : args.positional[1];
  }
  if (items->empty()) ev.reporter.raise("min() or max() of an empty list");
  Value best = items->front();
  for (std::size_t i = 1; i < items->size(); ++i)
    best = ev.caller.call_operator(Minimum ? "prim::min" : "prim::max", {{best, (*items)[i]}, {}});
  return best;
}

Result sum(Evaluation& ev, Args args) {
  const std::vector<Value>* items = items_at(args, 0);
  if (!items || involves_tensor(*items)) return std::nullopt;
  Value total = items->empty() || items->front().is_int() || items->front().is_bool() ? Value(std::int64_t{0})
                                                                                      : Value(0.0);
  for (const Value& item : *items) total = ev.caller.call_operator("aten::add", {{total, item}, {}});
  return total;
}

template <bool All>
Result every(Evaluation& ev, Args args) {
  const std::vector<Value>* items = items_at(args, 0);
  if (!items) return std::nullopt;
  Value answer = All;
  for (const Value& item : *items)
    answer = ev.caller.call_operator(All ? "aten::__and__" : "aten::__or__",
                                     {{answer, ev.caller.call_operator("aten::Bool", {{item}, {}})}, {}});
  return answer;
}

Result range_list(Evaluation& ev, Args args) {
  std::int64_t start = 0, step = 1, stop = 0;
  if (args.positional.size() == 1)
    stop = known_int(args.positional[0], "the end of a range");
  else {
    start = known_int(args.at(0), "the start of a range");
    stop = known_int(args.at(1), "the end of a range");
    if (args.positional.size() > 2) step = known_int(args.positional[2], "the step of a range");
  }
  if (step == 0) ev.reporter.raise("range() arg 3 must not be zero");
  std::vector<Value> out;
  for (std::int64_t i = start; step > 0 ? i < stop : i > stop; i += step) {
    if (out.size() > 1'000'000) throw aten::Unsupported("the range is too long");
    out.push_back(i);
  }
  return ev.memory.make_list(std::move(out));
}

Result list_with_default(Evaluation& ev, Args args) {
  const std::vector<Value>*given = items_at(args, 0), *defaults = items_at(args, 1);
  if (!given || !defaults) return std::nullopt;
  std::vector<Value> out;
  for (std::size_t i = 0; i < given->size(); ++i)
    out.push_back((*given)[i].is_none() ? defaults->at(i) : (*given)[i]);
  return ev.memory.make_list(std::move(out));
}

// A list of parts along a dimension, whose number is a runtime value.
Value sequence_of_parts(Evaluation& ev, std::vector<onnx::Value*> inputs, std::int64_t axis,
                        std::int64_t keepdims) {
  Value out = ev.memory.make_list({});
  (*out.get_if<ListPtr>())->sequence =
      ev.emit.op("SplitToSequence", std::move(inputs), {{"axis", axis}, {"keepdims", keepdims}});
  return out;
}

// The tensor that is divided; nothing if a converter divides it, or refuses to.
std::optional<aten::Tensor> divided(Evaluation& ev, Args args) {
  const CellPtr* cell = args.positional.empty() ? nullptr : args.positional[0].get_if<CellPtr>();
  if (!cell) return std::nullopt;
  aten::Tensor t = ev.memory.cells().read(*cell);
  if (t.complex || t.quantizer || !t->type.shape || t.rank() == 0) return std::nullopt;
  return t;
}

std::int64_t dimension(Args args, const aten::Tensor& t, std::size_t position) {
  const Value* dim = args.find(position, "dim");
  return t.wrap(dim ? known_int(*dim, "'dim'") : 0);
}

Result unbind(Evaluation& ev, Args args) {
  const std::optional<aten::Tensor> t = divided(ev, args);
  if (!t) return std::nullopt;
  const std::int64_t axis = dimension(args, *t, 1);
  if (t->dim(axis).as_constant()) return std::nullopt;
  return sequence_of_parts(ev, {t->value}, axis, 0);
}

Result split(Evaluation& ev, Args args) {
  const std::optional<aten::Tensor> t = divided(ev, args);
  const Value* given = args.find(1, "split_size");
  const Dim* size = given ? given->get_if<Dim>() : nullptr;
  if (!t || !size || ev.emit.sym().less_equal(*size, 0) == sym::Truth::yes) return std::nullopt;
  const std::int64_t axis = dimension(args, *t, 2);
  if (ev.emit.simplify(sym::ceildiv(t->dim(axis), *size)).as_constant()) return std::nullopt;
  return sequence_of_parts(ev, {t->value, ev.emit.dim(*size)}, axis, 1);
}

Result chunk(Evaluation& ev, Args args) {
  const std::optional<aten::Tensor> t = divided(ev, args);
  const Value* given = args.find(1, "chunks");
  const Dim* chunks = given ? given->get_if<Dim>() : nullptr;
  if (!t || !chunks || chunks->as_constant()) return std::nullopt;
  const std::int64_t axis = dimension(args, *t, 2);
  const Dim size = sym::max(sym::ceildiv(t->dim(axis), *chunks), 1);
  return sequence_of_parts(ev, {t->value, ev.emit.dim(size)}, axis, 1);
}

// Concatenating or stacking a list that is a sequence of the graph.
template <bool Stack>
Result join_sequence(Evaluation& ev, Args args) {
  const ListPtr* list = list_at(args, 0);
  if (!list || !(*list)->sequence) return std::nullopt;
  const Value* dim = args.find(1, "dim");
  const std::int64_t axis = dim ? known_int(*dim, "'dim'") : 0;
  return ev.memory.make_tensor(ev.emit.op("ConcatFromSequence", {(*list)->sequence},
                                          {{"axis", axis}, {"new_axis", std::int64_t{Stack}}}));
}

constexpr NamedBuiltin kLists[] = {
    {"aten::len", length},
    {"aten::__getitem__", get_item},
    {"aten::_set_item", set_item, 2},
    {"aten::append", append, 1},
    {"aten::extend", extend},
    {"aten::insert", insert, 1},
    {"aten::pop", pop},
    {"aten::Delete", remove_at},
    {"aten::remove", remove},
    {"aten::index", index_of},
    {"aten::count", count},
    {"aten::__contains__", contains},
    {"aten::clear", clear},
    {"aten::reverse", reverse},
    {"aten::copy", copy},
    {"aten::list", copy},
    {"aten::sort", sort},
    {"aten::sorted", sorted},
    {"aten::add", add},
    {"aten::add_", add_in_place},
    {"aten::mul", multiply},
    {"aten::eq", equal},
    {"aten::ne", not_equal},
    {"aten::slice", slice},
    {"prim::min", extreme<true>},
    {"prim::max", extreme<false>},
    {"aten::sum", sum},
    {"aten::all", every<true>},
    {"aten::any", every<false>},
    {"prim::rangelist", range_list},
    {"aten::list_with_default", list_with_default},
    {"aten::cat", join_sequence<false>},
    {"aten::concat", join_sequence<false>},
    {"aten::stack", join_sequence<true>},
    {"aten::unbind", unbind},
    {"aten::split", split},
    {"aten::chunk", chunk},
};

}  // namespace
}  // namespace lists

std::span<const NamedBuiltin> list_builtins() { return lists::kLists; }

}  // namespace cameo::eval
