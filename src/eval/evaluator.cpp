#include "eval/evaluator.h"

#include <fmt/format.h>

#include "aten/support.h"

namespace cameo::eval {

Evaluator::Evaluator(const script::Program& program, onnx::Emit& emit, Options options)
    : program_(program),
      emit_(emit),
      options_(std::move(options)),
      cells_(emit, journal_),
      custom_(options_.converters, emit.model().opset, [this](std::string message, std::string hint) {
        Diagnostic d = diagnostic(Severity::warning, Stage::convert, "converter", std::move(message));
        d.hint = std::move(hint);
        report(std::move(d));
      }) {}

// ---- tensors and numbers

Value Evaluator::wrap(aten::Tensor tensor) { return cells_.make(std::move(tensor)); }
Value Evaluator::list(std::vector<Value> items) {
  return ListPtr(std::make_shared<List>(List{journal_.now(), std::move(items)}));
}
Value Evaluator::dict(std::vector<std::pair<Value, Value>> items) {
  return DictPtr(std::make_shared<Dict>(Dict{journal_.now(), std::move(items)}));
}

aten::Tensor Evaluator::tensor(const Value& value) {
  if (const CellPtr* cell = value.get_if<CellPtr>()) return cells_.read(*cell);
  if (const Dim* dim = value.get_if<Dim>()) return emit_.dim(*dim);
  if (const double* d = value.get_if<double>()) return emit_.scalar(DType::f64, *d);
  if (const RuntimeFloat* f = value.get_if<RuntimeFloat>()) return f->value;
  if (value.is_bool()) return condition(value);
  throw aten::Unsupported(fmt::format("{} cannot be a tensor", describe(value)));
}

onnx::Value* Evaluator::condition(const Value& value) {
  if (const bool* b = value.get_if<bool>()) return emit_.scalar(DType::boolean, std::int64_t{*b});
  if (const RuntimeBool* runtime = value.get_if<RuntimeBool>()) return runtime->value;
  if (const SymBool* symbolic = value.get_if<SymBool>()) {
    onnx::Value *a = emit_.dim(symbolic->left), *b = emit_.dim(symbolic->right);
    switch (symbolic->relation) {
      case sym::Relation::equal: return emit_.op("Equal", {a, b});
      case sym::Relation::not_equal: return emit_.op("Not", {emit_.op("Equal", {a, b})});
      case sym::Relation::less: return emit_.op("Less", {a, b});
      case sym::Relation::less_equal: return emit_.op("LessOrEqual", {a, b});
    }
  }
  if (const CellPtr* cell = value.get_if<CellPtr>())
    return emit_.cast(emit_.reshape(cells_.read(*cell), {}), DType::boolean);
  if (const Dim* dim = value.get_if<Dim>()) return emit_.cast(emit_.dim(*dim), DType::boolean);
  if (const RuntimeFloat* f = value.get_if<RuntimeFloat>()) return emit_.cast(f->value, DType::boolean);
  throw aten::Unsupported(fmt::format("{} cannot be a condition", describe(value)));
}

std::optional<bool> Evaluator::decide(const Value& value) {
  if (const bool* b = value.get_if<bool>()) return *b;
  if (const SymBool* symbolic = value.get_if<SymBool>()) {
    const sym::Truth truth = emit_.sym().decide(*symbolic);
    return truth == sym::Truth::unknown ? std::nullopt : std::optional(truth == sym::Truth::yes);
  }
  if (value.is_none()) return false;
  if (const double* d = value.get_if<double>()) return *d != 0;
  if (const Dim* dim = value.get_if<Dim>()) return decide(SymBool{sym::Relation::not_equal, *dim, 0});
  if (const std::string* text = value.get_if<std::string>()) return !text->empty();
  if (const CellPtr* cell = value.get_if<CellPtr>()) return decide(number_from(cells_.read(*cell)));
  if (const ListPtr* items = value.get_if<ListPtr>(); items && !(*items)->sequence)
    return !(*items)->items.empty();
  return std::nullopt;
}

Value Evaluator::number_from(const aten::Tensor& tensor) {
  if (tensor->type.shape)
    for (const Dim& dim : *tensor->type.shape)
      if (dim.as_constant().value_or(1) != 1)
        raise("only a tensor of one element can be converted to a number");
  if (tensor->data) {
    if (tensor.dtype() == DType::boolean) return tensor->data->integer(0) != 0;
    if (is_floating(tensor.dtype())) return tensor->data->real(0);
    if (is_integral(tensor.dtype())) return tensor->data->integer(0);
  }
  if (is_integral(tensor.dtype())) return emit_.number(tensor);
  onnx::Value* scalar = emit_.reshape(tensor, {});
  if (tensor.dtype() == DType::boolean) return RuntimeBool{scalar};
  if (is_floating(tensor.dtype())) return RuntimeFloat{emit_.cast(scalar, DType::f64)};
  throw aten::Unsupported("the number in a complex tensor is not known");
}

// ---- places

void Evaluator::assign(const Frame& frame, std::string_view name, Value value) {
  journal_.touch(VariablePlace{frame.environment, name});
  frame.environment->set(name, std::move(value));
}

void Evaluator::set_attribute(const ObjectPtr& object, std::string_view name, Value value) {
  journal_.touch(AttributePlace{object, std::string(name)});
  object->attributes.insert_or_assign(std::string(name), std::move(value));
}

std::unordered_map<const Cell*, aten::Tensor> Evaluator::settle(const std::vector<Place>& places) {
  std::unordered_map<const Cell*, aten::Tensor> tensors;
  std::set<const void*> visited;
  std::function<void(const Value&)> visit = [&](const Value& value) {
    if (const CellPtr* cell = value.get_if<CellPtr>()) {
      if (!tensors.contains(cell->get())) tensors.emplace(cell->get(), cells_.read(*cell));
    } else if (const TuplePtr* tuple = value.get_if<TuplePtr>()) {
      for (const Value& item : (*tuple)->items) visit(item);
    } else if (const ListPtr* items = value.get_if<ListPtr>()) {
      if (visited.insert(items->get()).second)
        for (const Value& item : (*items)->items) visit(item);
    } else if (const DictPtr* entries = value.get_if<DictPtr>()) {
      if (visited.insert(entries->get()).second)
        for (const auto& [key, item] : (*entries)->items) visit(item);
    } else if (const OptionalPtr* optional = value.get_if<OptionalPtr>()) {
      visit((*optional)->value);
    } else if (const ObjectPtr* object = value.get_if<ObjectPtr>(); object && !(*object)->module) {
      if (visited.insert(object->get()).second)
        for (const auto& [key, item] : (*object)->attributes) visit(item);
    }
  };
  for (const Place& place : places) {
    const State state = state_of(place);
    if (const auto* value = std::get_if<std::optional<Value>>(&state)) {
      if (*value) visit(**value);
    } else if (const auto* items = std::get_if<ListState>(&state)) {
      for (const Value& item : items->items) visit(item);
    } else if (const auto* entries = std::get_if<DictState>(&state)) {
      for (const auto& [key, item] : *entries) visit(item);
    }
  }
  return tensors;
}

// ---- complaints

Diagnostic Evaluator::diagnostic(Severity severity, Stage stage, std::string code,
                                 std::string message) const {
  Diagnostic d;
  d.severity = severity;
  d.stage = stage;
  d.code = std::move(code);
  d.message = std::move(message);
  d.file = program_.archive().file().name();
  if (frames_.empty()) return d;
  const Frame& innermost = *frames_.back();
  d.module_path = innermost.module_path;
  d.script = program_.script_position(*innermost.file, innermost.range);
  for (std::size_t i = frames_.size(); i-- > 0;) {
    const Frame* frame = frames_[i];
    std::vector<Position> places = program_.python_position(*frame->file, frame->range);
    if (places.empty()) continue;
    // A recorded trace holds the whole stack already; scripted code gives one place a call.
    const bool whole_stack = places.size() > 1;
    for (Position& place : places) {
      if (place.function.empty()) place.function = frame->function;
      if (d.python.empty() || d.python.back().file != place.file || d.python.back().line != place.line)
        d.python.push_back(std::move(place));
    }
    if (whole_stack) break;
  }
  return d;
}

const onnx::Origin* Evaluator::origin(std::string_view op) {
  onnx::Origin origin;
  origin.op = op;
  if (!frames_.empty()) {
    const Frame& innermost = *frames_.back();
    origin.module_path = innermost.module_path;
    origin.locate = [&program = program_, file = innermost.file, range = innermost.range] {
      return onnx::Places{program.script_position(*file, range), program.python_position(*file, range)};
    };
  }
  return emit_.model().add_origin(std::move(origin));
}

void Evaluator::raise(std::string message) {
  Diagnostic where = diagnostic(Severity::error, Stage::evaluate, "program-raises", message);
  throw Raised{std::move(message), std::move(where)};
}

void Evaluator::fail(std::string code, std::string message, std::string hint) {
  Diagnostic d = diagnostic(Severity::error, Stage::evaluate, std::move(code), std::move(message));
  d.hint = std::move(hint);
  throw Error(std::move(d));
}

void Evaluator::report(Diagnostic d) { findings_.add(std::move(d)); }

void Evaluator::assumed(std::string assumption) { findings_.assume(std::move(assumption)); }

}  // namespace cameo::eval
