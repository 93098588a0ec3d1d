#include "rules/share_weights.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_set>

namespace cameo::rules {
namespace {

using onnx::Graph;
using onnx::Node;
using onnx::Value;
using Ints = std::vector<std::int64_t>;

constexpr std::size_t kWorthIt = std::size_t{1} << 16;  // bytes

class Constants {
 public:
  explicit Constants(const Graph& main) { collect(main); }
  const std::vector<Value*>& all() const { return found_; }

 private:
  void collect(const Graph& graph) {
    for (const Node* node : graph.nodes) {
      for (Value* input : node->inputs)
        if (input && input->constant() && seen_.insert(input).second) found_.push_back(input);
      for (const onnx::Attribute& attribute : node->attributes)
        for (Graph* inner : subgraphs(attribute.value)) collect(*inner);
    }
  }
  std::unordered_set<const Value*> seen_;
  std::vector<Value*> found_;
};

// The axes of a tensor in the order in which they lie in memory.
Ints order_in_memory(const archive::Tensor& tensor) {
  Ints order(tensor.shape.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) {
    return element_at(tensor.strides, a) > element_at(tensor.strides, b);
  });
  return order;
}

archive::TensorPtr rearranged(const archive::Tensor& tensor, const Ints& order) {
  auto result = std::make_shared<archive::Tensor>(tensor);
  for (std::size_t i = 0; i < order.size(); ++i) {
    result->shape[i] = element_at(tensor.shape, order[i]);
    result->strides[i] = element_at(tensor.strides, order[i]);
  }
  return result;
}

// Where it lies and what it is.
using Place = std::tuple<const archive::Storage*, std::int64_t, DType, Ints>;
Place place_of(const archive::Tensor& tensor) {
  return {tensor.storage.get(), tensor.offset, tensor.dtype, tensor.shape};
}

}  // namespace

std::size_t share_weights(onnx::Model& model, bool every) {
  const Constants constants(model.main());
  std::map<Place, Value*> plain;
  for (Value* value : constants.all())
    if (const auto& tensor = value->data->tensor(); tensor && tensor->plain())
      plain.emplace(place_of(*tensor), value);
  std::vector<Node*> transposes;
  for (Value* value : constants.all()) {
    const archive::TensorPtr tensor = value->data->tensor();
    if (!tensor || tensor->plain() || value->data->byte_size() < kWorthIt) continue;
    const Ints order = order_in_memory(*tensor);
    const archive::TensorPtr base = rearranged(*tensor, order);
    if (!base->plain()) continue;
    Value*& shared = plain[place_of(*base)];
    if (!shared && !every) continue;
    if (!shared) {
      shared = model.add_value(value->type, value->name);
      shared->data = std::make_shared<onnx::Data>(base);
      for (std::size_t i = 0; i < order.size(); ++i) (*shared->type.shape)[i] = base->shape[i];
    }
    const Ints back = inverse_permutation(order);
    Node node;
    node.op = "Transpose";
    node.inputs = {shared};
    node.outputs = {value};
    node.attributes = {{"perm", std::move(back)}};
    node.graph = &model.main();
    value->producer = model.add_node(std::move(node));
    value->data = nullptr;
    value->name.clear();
    transposes.push_back(value->producer);
  }
  auto& nodes = model.main().nodes;
  nodes.insert(nodes.begin(), transposes.begin(), transposes.end());
  return transposes.size();
}

}  // namespace cameo::rules
