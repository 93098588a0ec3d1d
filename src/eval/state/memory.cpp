#include "eval/state/memory.h"

#include <set>

namespace cameo::eval {
namespace {

// Collects the cells that values refer to. Modules are left out: their attributes are places of their own.
class CellCollector {
 public:
  explicit CellCollector(Cells& cells) : cells_(cells) {}

  void visit(const Value& value) {
    if (const CellPtr* cell = value.get_if<CellPtr>()) {
      if (!tensors.contains(cell->get())) tensors.emplace(cell->get(), cells_.read(*cell));
    } else if (const TuplePtr* tuple = value.get_if<TuplePtr>()) {
      for (const Value& item : (*tuple)->items) visit(item);
    } else if (const ListPtr* items = value.get_if<ListPtr>()) {
      if (visited_.insert(items->get()).second)
        for (const Value& item : (*items)->items) visit(item);
    } else if (const DictPtr* entries = value.get_if<DictPtr>()) {
      if (visited_.insert(entries->get()).second)
        for (const auto& [key, item] : (*entries)->items) visit(item);
    } else if (const OptionalPtr* optional = value.get_if<OptionalPtr>()) {
      visit((*optional)->value);
    } else if (const ObjectPtr* object = value.get_if<ObjectPtr>(); object && !(*object)->module) {
      if (visited_.insert(object->get()).second)
        for (const auto& [key, item] : (*object)->attributes) visit(item);
    }
  }
  void visit(const State& state) {
    if (const auto* value = std::get_if<std::optional<Value>>(&state)) {
      if (*value) visit(**value);
    } else if (const auto* items = std::get_if<ListState>(&state)) {
      for (const Value& item : items->items) visit(item);
    } else if (const auto* entries = std::get_if<DictState>(&state)) {
      for (const auto& [key, item] : *entries) visit(item);
    }
  }

  std::unordered_map<const Cell*, aten::Tensor> tensors;

 private:
  Cells& cells_;
  std::set<const void*> visited_;
};

}  // namespace

Value Memory::make_packed(aten::PackedPtr packed) {
  auto object = std::make_shared<Object>(journal_.now(), packed->cls, script::Definition<script::ClassDef>{});
  object->packed = std::move(packed);
  return object;
}

Value Memory::make_list(std::vector<Value> items) {
  return ListPtr(std::make_shared<List>(List{journal_.now(), std::move(items)}));
}

Value Memory::make_dict(std::vector<std::pair<Value, Value>> items) {
  return DictPtr(std::make_shared<Dict>(Dict{journal_.now(), std::move(items)}));
}

void Memory::assign(const std::shared_ptr<Environment>& environment, std::string_view name, Value value) {
  journal_.touch(VariablePlace{environment, name});
  environment->set(name, std::move(value));
}

void Memory::erase(const std::shared_ptr<Environment>& environment, std::string_view name) {
  journal_.touch(VariablePlace{environment, name});
  environment->erase(name);
}

void Memory::set_attribute(const ObjectPtr& object, std::string_view name, Value value) {
  journal_.touch(AttributePlace{object, std::string(name)});
  object->attributes.insert_or_assign(std::string(name), std::move(value));
}

void Memory::put(const Place& place, State state) {
  journal_.touch(place);
  if (CellState* cell = std::get_if<CellState>(&state)) cell->version = journal_.tick();
  restore(place, std::move(state));
}

std::unordered_map<const Cell*, aten::Tensor> Memory::tensors_at(const std::vector<Place>& places) {
  CellCollector collector(cells_);
  for (const Place& place : places) collector.visit(state_of(place));
  return std::move(collector.tensors);
}

}  // namespace cameo::eval
