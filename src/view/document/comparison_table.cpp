#include "base/index.h"
#include "view/document/tables.h"

namespace cameo::view {
namespace {

using Rules = std::map<std::string, std::string, std::less<>>;

// The rule of the first result of a node that has one.
std::string_view rule_of(const onnx::proto::Node& node, const Rules& rules) {
  for (const std::string_view output : node.outputs)
    if (const auto found = rules.find(output); found != rules.end()) return found->second;
  return {};
}

}  // namespace

void add_comparison(Built& built, const Marks& marks, const Rules& rules) {
  Document& document = built.document;
  Comparison& compare = document.compare.emplace();
  compare.node = marks.node;
  compare.weight = marks.weight;
  for (const std::string& text : marks.node_text) compare.node_text.push_back(document.strings.add(text));
  for (const std::string& text : marks.weight_text) compare.weight_text.push_back(document.strings.add(text));
  for (const std::string& note : marks.notes) compare.notes.push_back(document.strings.add(note));
  for (std::size_t i = 0; i < built.flat.nodes.size(); ++i) {
    const bool told = marks.node[i] != Mark::same && marks.node[i] != Mark::added;
    compare.node_rule.push_back(told ? document.strings.add(rule_of(*built.flat.nodes[i].source, rules)) : 0);
  }
  std::vector<std::array<int, kMarks>> counts(built.grouping.groups.size());
  for (std::size_t i = 0; i < built.flat.nodes.size(); ++i)
    ++counts[as_size(built.grouping.of_node[i])][static_cast<std::size_t>(marks.node[i])];
  for (std::size_t group = counts.size(); group-- > 1;)
    for (std::size_t mark = 0; mark < kMarks; ++mark)
      counts[as_size(built.grouping.groups[group].parent)][mark] += counts[group][mark];
  for (const std::array<int, kMarks>& each : counts) compare.group.add(each);
}

}  // namespace cameo::view
