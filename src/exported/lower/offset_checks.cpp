#include "exported/lower/offset_checks.h"

#include <algorithm>

namespace cameo::exported {
namespace {

using Names = std::unordered_set<std::string_view>;

template <class T>
bool is_among(const std::variant<SymName, T>& argument, const Names& names) {
  const SymName* name = std::get_if<SymName>(&argument);
  return name && names.contains(name->name);
}

template <class T>
bool reads(const Argument& argument, const Names& names) {
  using One = std::variant<SymName, T>;
  if (const One* one = argument.get_if<One>()) return is_among(*one, names);
  const auto* list = argument.get_if<std::vector<One>>();
  return list && std::ranges::any_of(*list, [&](const One& item) { return is_among(item, names); });
}
bool reads_any(const Argument& argument, const Names& names) {
  return reads<std::int64_t>(argument, names) || reads<double>(argument, names) ||
         reads<bool>(argument, names);
}

void add_name(const Argument& output, Names& names) {
  const auto add = [&](const auto* number) {
    const SymName* name = number ? std::get_if<SymName>(number) : nullptr;
    if (name) names.insert(name->name);
  };
  add(output.get_if<SymIntArgument>());
  add(output.get_if<SymFloatArgument>());
  add(output.get_if<SymBoolArgument>());
}

bool is_number_operator(std::string_view target) {
  return target.starts_with("_operator.") || target.starts_with("torch.sym_");
}

}  // namespace

std::unordered_set<const Node*> offset_checks(const Graph& graph) {
  std::unordered_set<const Node*> found;
  Names offsets;
  for (const Node& node : graph.nodes) {
    const bool reader = std::ranges::any_of(
        node.inputs, [&](const NamedArgument& input) { return reads_any(input.value, offsets); });
    const bool offset = node.target == "torch.ops.aten.sym_storage_offset.default";
    const bool assertion = node.target == "torch.ops.aten._assert_scalar.default";
    if (!reader && !offset) continue;
    if (!offset && !assertion && !is_number_operator(node.target)) return {};
    found.insert(&node);
    for (const Argument& output : node.outputs) add_name(output, offsets);
  }
  const auto is_read = [&](const Argument& output) { return reads_any(output, offsets); };
  if (std::ranges::any_of(graph.outputs, is_read)) return {};
  return found;
}

}  // namespace cameo::exported
