// Dictionaries, in the order of insertion.
#include <algorithm>

#include <fmt/core.h>

#include "eval/builtins/builtins.h"

namespace cameo::eval {
namespace dicts {
namespace {

using Args = const Arguments&;
using Result = std::optional<Value>;
using Items = std::vector<std::pair<Value, Value>>;

const DictPtr* dict_at(Args args, std::size_t i = 0) {
  return i < args.positional.size() ? args.positional[i].get_if<DictPtr>() : nullptr;
}

Items::iterator find(Evaluation& ev, Dict& dict, const Value& key) {
  return std::ranges::find_if(dict.items, [&](const auto& item) {
    if (same(item.first, key)) return true;
    if (!item.first.is_number() || !key.is_number()) return false;
    return ev.values.decide(ev.caller.call_operator("aten::eq", {{item.first, key}, {}})).value_or(false);
  });
}

std::string key_text(const Value& key) {
  const std::string* text = key.get_if<std::string>();
  return text ? *text : describe(key);
}

Result length(Evaluation&, Args args) {
  const DictPtr* dict = dict_at(args);
  return dict ? Result(Value(std::ssize((*dict)->items))) : std::nullopt;
}

Result get_item(Evaluation& ev, Args args) {
  const DictPtr* dict = dict_at(args);
  if (!dict) return std::nullopt;
  auto found = find(ev, **dict, args.at(1));
  if (found == (*dict)->items.end())
    ev.reporter.raise(fmt::format("KeyError: {}", key_text(args.positional[1])));
  if (const Conflict* conflict = found->second.get_if<Conflict>())
    ev.reporter.fail(Code::undetermined_value, conflict->reason);
  return found->second;
}

void put(Evaluation& ev, const DictPtr& dict, const Value& key, const Value& value) {
  ev.memory.touch(dict);
  auto found = find(ev, *dict, key);
  if (found == dict->items.end())
    dict->items.emplace_back(key, value);
  else
    found->second = value;
}

Result set_item(Evaluation& ev, Args args) {
  const DictPtr* dict = dict_at(args);
  if (!dict) return std::nullopt;
  put(ev, *dict, args.at(1), args.at(2));
  return Value(None{});
}

Result contains(Evaluation& ev, Args args) {
  const DictPtr* dict = dict_at(args);
  if (!dict) return std::nullopt;
  return Value(find(ev, **dict, args.at(1)) != (*dict)->items.end());
}

Result get(Evaluation& ev, Args args) {
  const DictPtr* dict = dict_at(args);
  if (!dict) return std::nullopt;
  auto found = find(ev, **dict, args.at(1));
  if (found != (*dict)->items.end()) return found->second;
  return args.positional.size() > 2 ? args.positional[2] : Value(None{});
}

Result set_default(Evaluation& ev, Args args) {
  const DictPtr* dict = dict_at(args);
  if (!dict) return std::nullopt;
  auto found = find(ev, **dict, args.at(1));
  if (found != (*dict)->items.end()) return found->second;
  put(ev, *dict, args.positional[1], args.at(2));
  return args.positional[2];
}

Result erase(Evaluation& ev, Args args) {
  const DictPtr* dict = dict_at(args);
  if (!dict) return std::nullopt;
  auto found = find(ev, **dict, args.at(1));
  if (found == (*dict)->items.end())
    ev.reporter.raise(fmt::format("KeyError: {}", key_text(args.positional[1])));
  ev.memory.touch(*dict);
  (*dict)->items.erase(found);
  return Value(None{});
}

Result pop(Evaluation& ev, Args args) {
  const DictPtr* dict = dict_at(args);
  if (!dict) return std::nullopt;
  auto found = find(ev, **dict, args.at(1));
  if (found == (*dict)->items.end()) {
    if (args.positional.size() > 2) return args.positional[2];
    ev.reporter.raise(fmt::format("KeyError: {}", key_text(args.positional[1])));
  }
  Value value = found->second;
  ev.memory.touch(*dict);
  (*dict)->items.erase(found);
  return value;
}

Result pop_item(Evaluation& ev, Args args) {
  const DictPtr* dict = dict_at(args);
  if (!dict) return std::nullopt;
  if ((*dict)->items.empty()) ev.reporter.raise("the dictionary is empty");
  auto [key, value] = (*dict)->items.back();
  ev.memory.touch(*dict);
  (*dict)->items.pop_back();
  return make_tuple({key, value});
}

Result clear(Evaluation& ev, Args args) {
  const DictPtr* dict = dict_at(args);
  if (!dict) return std::nullopt;
  ev.memory.touch(*dict);
  (*dict)->items.clear();
  return Value(None{});
}

Result update(Evaluation& ev, Args args) {
  const DictPtr *dict = dict_at(args), *other = dict_at(args, 1);
  if (!dict || !other) return std::nullopt;
  const Items more = (*other)->items;
  for (const auto& [key, value] : more) put(ev, *dict, key, value);
  return Value(None{});
}

Result keys(Evaluation& ev, Args args) {
  const DictPtr* dict = dict_at(args);
  if (!dict) return std::nullopt;
  std::vector<Value> out;
  for (const auto& [key, value] : (*dict)->items) out.push_back(key);
  return ev.memory.make_list(std::move(out));
}

Result values(Evaluation& ev, Args args) {
  const DictPtr* dict = dict_at(args);
  if (!dict) return std::nullopt;
  std::vector<Value> out;
  for (const auto& [key, value] : (*dict)->items) out.push_back(value);
  return ev.memory.make_list(std::move(out));
}

Result items(Evaluation& ev, Args args) {
  const DictPtr* dict = dict_at(args);
  if (!dict) return std::nullopt;
  std::vector<Value> out;
  for (const auto& [key, value] : (*dict)->items) out.push_back(make_tuple({key, value}));
  return ev.memory.make_list(std::move(out));
}

Result copy(Evaluation& ev, Args args) {
  if (const DictPtr* dict = dict_at(args)) return ev.memory.make_dict((*dict)->items);
  return std::nullopt;
}

// dict(): empty, a copy, or made of pairs.
Result make(Evaluation& ev, Args args) {
  if (args.positional.empty()) return ev.memory.make_dict({});
  if (Result copied = copy(ev, args)) return copied;
  const ListPtr* pairs = args.positional[0].get_if<ListPtr>();
  if (!pairs) return std::nullopt;
  Value out = ev.memory.make_dict({});
  for (const Value& pair : (*pairs)->items) {
    const TuplePtr* tuple = pair.get_if<TuplePtr>();
    if (!tuple || (*tuple)->items.size() != 2) return std::nullopt;
    put(ev, *out.get_if<DictPtr>(), (*tuple)->items[0], (*tuple)->items[1]);
  }
  return out;
}

constexpr NamedBuiltin kDicts[] = {
    {"aten::len", length},
    {"aten::__getitem__", get_item},
    {"aten::_set_item", set_item, 2},
    {"aten::__contains__", contains},
    {"aten::contains_key", contains},
    {"aten::get", get},
    {"aten::setdefault", set_default},
    {"aten::Delete", erase},
    {"aten::pop", pop},
    {"aten::popitem", pop_item},
    {"aten::clear", clear},
    {"aten::update", update},
    {"aten::keys", keys},
    {"aten::values", values},
    {"aten::items", items},
    {"aten::copy", copy},
    {"aten::dict", make},
};

}  // namespace
}  // namespace dicts

std::span<const NamedBuiltin> dict_builtins() { return dicts::kDicts; }

}  // namespace cameo::eval
