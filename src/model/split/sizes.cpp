#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "base/text.h"
#include "model/split/grouping.h"
#include "onnx/check/elements.h"

namespace cameo::model {
namespace {

using onnx::proto::Tensor;

std::uint64_t bytes_of(const Tensor& tensor) {
  const auto count = onnx::element_count(tensor.dims);
  const onnx::Storage* const storage = onnx::storage(tensor.data_type);
  return count && storage ? onnx::raw_size(*count, *storage).value_or(0) : 0;
}

// The weights of nodes, and the values that cross a place between two nodes.
class Costs {
 public:
  explicit Costs(const SplitSource& source) : source_(source), crossing_(source.graph.nodes.size() + 1) {
    for (const Tensor& tensor : source.graph.initializers) bytes_.emplace(tensor.name, bytes_of(tensor));
    std::vector<std::size_t> last(crossing_.size() - 1);
    for (std::size_t i = 0; i < last.size(); ++i)
      for (const std::string_view value : source.links.reads[i])
        if (const auto maker = source.links.maker.find(value); maker != source.links.maker.end())
          last[maker->second] = i;
    std::vector<std::ptrdiff_t> change(crossing_.size() + 1);
    for (std::size_t i = 0; i < last.size(); ++i) {
      if (last[i] <= i) continue;
      ++change[i + 1];
      --change[last[i] + 1];
    }
    std::partial_sum(change.begin(), change.end() - 1, crossing_.begin());
  }

  // The weights of a node that are not in `seen`, which gets them.
  std::uint64_t fresh_bytes(std::size_t node, std::unordered_set<std::string_view>& seen) const {
    std::uint64_t sum = 0;
    for (const std::string_view value : source_.links.reads[node])
      if (const auto found = bytes_.find(value); found != bytes_.end() && seen.insert(value).second)
        sum += found->second;
    return sum;
  }

  // The nodes in from … to before which the fewest nodes' results cross; of several the one nearest to `wanted`.
  std::size_t narrowest(std::size_t from, std::size_t to, std::size_t wanted) const {
    std::size_t best = wanted;
    const auto distance = [&](std::size_t at) { return at > wanted ? at - wanted : wanted - at; };
    for (std::size_t at = from; at <= to; ++at)
      if (crossing_[at] < crossing_[best] ||
          (crossing_[at] == crossing_[best] && distance(at) < distance(best)))
        best = at;
    return best;
  }

 private:
  const SplitSource& source_;
  std::unordered_map<std::string_view, std::uint64_t> bytes_;
  std::vector<std::ptrdiff_t> crossing_;  // by place: the nodes before it whose results are read behind it
};

// `ends` are the nodes at which the second part and later ones begin.
Grouping runs_of_nodes(std::size_t nodes, const std::vector<std::size_t>& ends) {
  Grouping grouping;
  grouping.parts.resize(ends.size() + 1);
  std::size_t part = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    while (part < ends.size() && ends[part] == i) ++part;
    grouping.part_of.push_back(part);
  }
  return grouping;
}

}  // namespace

Grouping group_evenly(const SplitSource& source, std::size_t parts) {
  const std::size_t nodes = source.graph.nodes.size();
  if (parts > nodes)
    throw Error(Diagnostic{.code = Code::bad_cut,
                           .message = fmt::format("{} nodes cannot be split in {} parts", nodes, parts),
                           .file = source.file,
                           .hint = "choose a smaller number"});
  const Costs costs(source);
  constexpr std::uint64_t kNode = 64;  // so that nodes without weights count a little
  std::vector<std::uint64_t> sums{0};
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < nodes; ++i) sums.push_back(sums.back() + kNode + costs.fresh_bytes(i, seen));
  const auto place = [&](std::uint64_t sum) {
    return static_cast<std::size_t>(std::ranges::lower_bound(sums, sum) - sums.begin());
  };
  std::vector<std::size_t> ends;
  for (std::size_t k = 1; k < parts; ++k) {
    const std::uint64_t share = sums.back() / parts;
    const std::size_t least = (ends.empty() ? 0 : ends.back()) + 1, most = nodes - (parts - k);
    const auto within = [&](std::size_t at) { return std::clamp(at, least, most); };
    ends.push_back(costs.narrowest(within(place(share * k - share / 4)), within(place(share * k + share / 4)),
                                   within(place(share * k))));
  }
  return runs_of_nodes(nodes, ends);
}

Grouping group_by_size(const SplitSource& source, std::uint64_t most) {
  const Costs costs(source);
  const std::size_t nodes = source.graph.nodes.size();
  std::vector<std::size_t> ends;
  for (std::size_t begin = 0; begin < nodes;) {
    std::unordered_set<std::string_view> seen;
    std::vector<std::uint64_t> sums{0};
    std::size_t end = begin;
    for (; end < nodes; ++end) {
      sums.push_back(sums.back() + costs.fresh_bytes(end, seen));
      if (sums.back() > most) break;
    }
    if (end == nodes) break;
    if (end == begin)
      throw Error(Diagnostic{
          .code = Code::part_too_large,
          .message = fmt::format("the weights of the node '{}' alone take {} bytes, and a part may take {}",
                                 printable(source.graph.nodes[begin].name), sums.back(), most),
          .file = source.file,
          .hint = "choose a larger --max-size"});
    // A narrow place in the last quarter of the bytes is better than the last place of all.
    const std::uint64_t enough = sums[end - begin] - sums[end - begin] / 4;
    const auto from = static_cast<std::size_t>(std::ranges::lower_bound(sums, enough) - sums.begin());
    begin = costs.narrowest(begin + std::max<std::size_t>(from, 1), end, end);
    ends.push_back(begin);
  }
  return runs_of_nodes(nodes, ends);
}

}  // namespace cameo::model
