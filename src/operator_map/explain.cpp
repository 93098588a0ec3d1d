#include "operator_map/explain.h"

#include <algorithm>

#include <fmt/core.h>

namespace cameo::operator_map {
namespace {

using Names = std::vector<std::string>;

void add_once(Names& names, std::string name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
}

// "params[0]" is a part of `params`.
bool belongs(std::string_view value, std::string_view argument) {
  return value == argument || (value.starts_with(argument) && value.substr(argument.size()).starts_with('['));
}

std::vector<Slot> slots(const EmittedNode& node) {
  std::vector<Slot> all = node.inputs;
  all.insert(all.end(), node.attributes.begin(), node.attributes.end());
  return all;
}

// The slots of `node` that are otherwise in `other`, a node of the same operator.
Names changed(const EmittedNode& node, const EmittedNode& other) {
  Names names;
  const std::vector<Slot> before = slots(node), after = slots(other);
  const auto value_in = [](const std::vector<Slot>& list, const std::string& name) {
    const auto found = std::ranges::find(list, name, &Slot::name);
    return found == list.end() ? std::string() : found->value;
  };
  for (const std::vector<Slot>* list : {&before, &after})
    for (const Slot& slot : *list)
      if (value_in(before, slot.name) != value_in(after, slot.name)) add_once(names, slot.name);
  return names;
}

// Operators in `more` that `less` lacks.
Names surplus(Names more, const Names& less) {
  for (const std::string& name : less)
    if (const auto found = std::ranges::find(more, name); found != more.end()) more.erase(found);
  return more;
}

void read_difference(const Conversion& base, const Conversion& other, Names& where) {
  const Names before = base.operators(), after = other.operators();
  if (before == after && base.nodes.size() == other.nodes.size()) {
    for (std::size_t i = 0; i < base.nodes.size(); ++i)
      for (const std::string& slot : changed(base.nodes[i], other.nodes[i]))
        add_once(where, fmt::format("{} of {}", slot, base.nodes[i].op));
    return;
  }
  const Names added = surplus(after, before), dropped = surplus(before, after);
  if (!added.empty()) add_once(where, fmt::format("adds {}", node_list(added)));
  if (!dropped.empty()) add_once(where, fmt::format("drops {}", node_list(dropped)));
}

}  // namespace

std::vector<Effect> effects(const Operator& op, const Conversion& base,
                            const std::vector<Variant>& variants) {
  std::vector<Effect> all;
  for (std::size_t i = 0; i < op.schema().count; ++i) {
    Effect effect{std::string(op.schema().params[i].name), {}};
    for (const EmittedNode& node : base.nodes)
      for (const Slot& input : node.inputs)
        if (belongs(input.value, effect.argument))
          add_once(effect.where, fmt::format("{} of {}", input.name, node.op));
    if (std::ranges::any_of(base.results, [&](const std::string& r) { return belongs(r, effect.argument); }))
      add_once(effect.where, "the result");
    for (const Variant& variant : variants)
      if (variant.argument == effect.argument && !variant.at_run &&
          variant.conversion.outcome == Outcome::converts)
        read_difference(base, variant.conversion, effect.where);
    all.push_back(std::move(effect));
  }
  return all;
}

std::vector<std::string> decided_by(const Conversion& base, std::size_t index, const Slot& slot,
                                    const std::vector<Variant>& variants) {
  Names names;
  for (const Variant& variant : variants) {
    const Conversion& other = variant.conversion;
    if (variant.argument.empty() || other.outcome != Outcome::converts ||
        other.nodes.size() != base.nodes.size() || other.operators() != base.operators())
      continue;
    const Names slots_changed = changed(base.nodes[index], other.nodes[index]);
    if (std::ranges::find(slots_changed, slot.name) != slots_changed.end()) add_once(names, variant.argument);
  }
  return names;
}

}  // namespace cameo::operator_map
