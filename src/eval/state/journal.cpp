#include "eval/state/journal.h"

#include "base/overload.h"
#include "cameo/diagnostic.h"

namespace cameo::eval {
namespace {

Time born(const Place& place) {
  return std::visit(Overload{
                        [](const VariablePlace& p) { return p.environment->born(); },
                        [](const AttributePlace& p) { return p.object->born; },
                        [](const auto& pointer) { return pointer->born; },
                    },
                    place);
}

}  // namespace

State state_of(const Place& place) {
  return std::visit(Overload{
                        [](const VariablePlace& p) -> State {
                          const Value* value = p.environment->find(p.name);
                          return value ? std::optional(*value) : std::nullopt;
                        },
                        [](const AttributePlace& p) -> State {
                          auto found = p.object->attributes.find(p.name);
                          return found == p.object->attributes.end() ? std::nullopt
                                                                     : std::optional(found->second);
                        },
                        [](const CellPtr& cell) -> State {
                          return CellState{cell->tensor, cell->version};
                        },
                        [](const ListPtr& list) -> State {
                          return ListState{list->items, list->sequence};
                        },
                        [](const DictPtr& dict) -> State { return dict->items; },
                    },
                    place);
}

void restore(const Place& place, State state) {
  std::visit(Overload{
                 [&](const VariablePlace& p) {
                   std::optional<Value>& value = std::get<std::optional<Value>>(state);
                   if (value)
                     p.environment->set(p.name, std::move(*value));
                   else
                     p.environment->erase(p.name);
                 },
                 [&](const AttributePlace& p) {
                   std::optional<Value>& value = std::get<std::optional<Value>>(state);
                   if (value)
                     p.object->attributes.insert_or_assign(p.name, std::move(*value));
                   else
                     p.object->attributes.erase(p.name);
                 },
                 [&](const CellPtr& cell) {
                   CellState& old = std::get<CellState>(state);
                   cell->tensor = std::move(old.tensor);
                   cell->version = old.version;
                 },
                 [&](const ListPtr& list) {
                   ListState& old = std::get<ListState>(state);
                   list->items = std::move(old.items);
                   list->sequence = old.sequence;
                 },
                 [&](const DictPtr& dict) { dict->items = std::move(std::get<DictState>(state)); },
             },
             place);
}

PlaceKey key_of(const Place& place) {
  return std::visit(Overload{
                        [](const VariablePlace& p) {
                          return PlaceKey{p.environment.get(), p.name};
                        },
                        [](const AttributePlace& p) {
                          return PlaceKey{p.object.get(), p.name};
                        },
                        [](const auto& pointer) {
                          return PlaceKey{pointer.get(), {}};
                        },
                    },
                    place);
}

void Outcome::set_effects(std::vector<Effect> effects) {
  effects_ = std::move(effects);
  index_.clear();
  for (std::size_t i = 0; i < effects_.size(); ++i) index_.emplace(key_of(effects_[i].place), i);
}

const Effect* Outcome::find(const Place& place) const {
  const auto found = index_.find(key_of(place));
  return found == index_.end() ? nullptr : &effects_[found->second];
}

void Journal::Record::add(const Place& place, State state) {
  places.push_back(place);
  before.push_back(std::move(state));
}

void Journal::touch(const Place& place) {
  if (records_.empty()) return;
  Record& record = records_.back();
  if (born(place) >= record.since) return;
  if (record.seen.try_emplace(key_of(place), record.places.size()).second) record.add(place, state_of(place));
}

Journal::Level::Level(Journal& journal) : journal_(journal) {
  journal_.records_.push_back({journal_.tick(), {}, {}, {}});
}

Journal::Level::~Level() {
  if (open_) roll_back();
}

const std::vector<Place>& Journal::Level::places() const { return journal_.records_.back().places; }

std::vector<Effect> Journal::Level::roll_back() {
  if (!open_) throw InternalError("a level of the journal was closed twice");
  open_ = false;
  Record record = std::move(journal_.records_.back());
  journal_.records_.pop_back();
  std::vector<Effect> effects;
  effects.reserve(record.places.size());
  for (std::size_t i = 0; i < record.places.size(); ++i)
    effects.push_back({record.places[i], record.before[i], state_of(record.places[i])});
  for (std::size_t i = record.places.size(); i-- > 0;) restore(record.places[i], std::move(record.before[i]));
  return effects;
}

void Journal::Level::keep() {
  if (!open_) throw InternalError("a level of the journal was closed twice");
  open_ = false;
  Record record = std::move(journal_.records_.back());
  journal_.records_.pop_back();
  if (journal_.records_.empty()) return;
  Record& outer = journal_.records_.back();
  for (std::size_t i = 0; i < record.places.size(); ++i)
    if (born(record.places[i]) < outer.since &&
        outer.seen.try_emplace(key_of(record.places[i]), outer.places.size()).second)
      outer.add(record.places[i], std::move(record.before[i]));
}

}  // namespace cameo::eval
