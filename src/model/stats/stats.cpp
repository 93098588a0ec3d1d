#include <algorithm>
#include <limits>
#include <map>

#include "base/checked.h"
#include "base/text.h"
#include "cameo/model.h"
#include "model/graph/links.h"
#include "model/infer/typed.h"
#include "model/stats/multiply_adds.h"
#include "onnx/check/elements.h"
#include "onnx/proto/visit.h"

namespace cameo {
namespace {

using model::Polynomial;
using onnx::proto::Attribute;
using onnx::proto::Graph;
using onnx::proto::Node;
using onnx::proto::SparseTensor;
using onnx::proto::Tensor;
using onnx::proto::Text;

std::uint64_t saturated(std::optional<std::uint64_t> number) {
  return number.value_or(std::numeric_limits<std::uint64_t>::max());
}
void add(std::uint64_t& total, std::uint64_t number) { total = saturated(checked_add(total, number)); }

class Census {
 public:
  explicit Census(const Graph& main) : infos_(main) {
    graph(main, true);
    finish();
  }
  ModelStats take() { return std::move(stats_); }

 private:
  void graph(const Graph& graph, bool main) {
    for (const Tensor& tensor : graph.initializers) weight(tensor);
    for (const SparseTensor& tensor : graph.sparse_initializers)
      if (tensor.values) weight(*tensor.values);
    for (const Node& node : graph.nodes) {
      ++stats_.nodes;
      ++operators_[name_of(node)];
      for (const Attribute& attribute : node.attributes)
        if (attribute.t) weight(*attribute.t);
      count(node, main);
      each_subgraph(node, [this](const Graph& inner) { this->graph(inner, false); });
    }
  }

  static std::string name_of(const Node& node) {
    const std::string op(node.op_type);
    return printable(node.domain.empty() ? op : std::string(node.domain) + "." + op);
  }

  void weight(const Tensor& tensor) {
    const std::uint64_t count = saturated(onnx::element_count(tensor.dims));
    std::uint64_t bytes = 0;
    if (const onnx::Storage* storage = onnx::storage(tensor.data_type))
      bytes = saturated(onnx::raw_size(count, *storage));
    for (const Text text : tensor.string_data) add(bytes, text.size());
    WeightStats& of_type = weights_[tensor.data_type.value_or(0)];
    of_type.type = static_cast<ElementType>(tensor.data_type.value_or(0));
    add(of_type.elements, count);
    add(of_type.bytes, bytes);
    add(stats_.parameters, count);
    add(stats_.bytes, bytes);
    if (tensor.external()) add(stats_.external_bytes, bytes);
  }

  void count(const Node& node, bool main) {
    model::MultiplyAdds found = model::multiply_adds(node, infos_);
    const bool none = found.count && found.count->terms().empty();
    if (none) return;
    if (!main) found = {.count = {}, .why = "in a subgraph, which may run any number of times"};
    const auto total = found.count ? Polynomial::sum(total_, *found.count) : std::nullopt;
    if (total)
      total_ = *total;
    else
      ++uncounted_[{name_of(node), found.count ? "too many" : found.why}];
  }

  void finish() {
    stats_.operators.assign(operators_.begin(), operators_.end());
    std::ranges::stable_sort(stats_.operators, std::greater<>(),
                             [](const auto& each) { return each.second; });
    for (auto& [type, weights] : weights_) stats_.weights.push_back(std::move(weights));
    std::ranges::stable_sort(stats_.weights, std::greater<>(), &WeightStats::bytes);
    for (const auto& [sizes, factor] : total_.terms())
      stats_.multiply_adds.push_back({.factor = factor, .sizes = sizes});
    for (const auto& [what, nodes] : uncounted_)
      stats_.uncounted.push_back({.op = what.first, .nodes = nodes, .why = what.second});
  }

  model::ValueInfos infos_;
  ModelStats stats_;
  std::map<std::string, std::int64_t> operators_;
  std::map<std::int32_t, WeightStats> weights_;
  Polynomial total_;
  std::map<std::pair<std::string, std::string>, std::int64_t> uncounted_;
};

}  // namespace

ModelStats Model::stats() const {
  const model::Typed typed(with_graph());
  return Census(typed.graph()).take();
}

}  // namespace cameo
