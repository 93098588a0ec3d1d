#include "model/extract/cut.h"

#include <algorithm>

namespace cameo::model {

Cut cut(const Links& links, const ValueNames& from, const ValueNames& to) {
  const std::unordered_set<std::string_view> given(from.begin(), from.end());
  Cut cut{.nodes = std::vector<bool>(links.reads.size()), .reads = {}};
  ValueNames open = to;
  while (!open.empty()) {
    const std::string_view value = open.back();
    open.pop_back();
    const auto maker = given.contains(value) ? links.maker.end() : links.maker.find(value);
    if (maker == links.maker.end()) {
      cut.reads.insert(value);
    } else if (!cut.nodes[maker->second]) {
      cut.nodes[maker->second] = true;
      const auto& reads = links.reads[maker->second];
      open.insert(open.end(), reads.begin(), reads.end());
    }
  }
  return cut;
}

std::unordered_set<std::string_view> dependents(const onnx::proto::Graph& graph, const Links& links,
                                                const ValueNames& values) {
  std::unordered_set<std::string_view> found(values.begin(), values.end());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto depends = [&found](std::string_view value) { return found.contains(value); };
    if (!std::ranges::any_of(links.reads[i], depends)) continue;
    for (const std::string_view output : graph.nodes[i].outputs)
      if (!output.empty()) found.insert(output);
  }
  return found;
}

}  // namespace cameo::model
