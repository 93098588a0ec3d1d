#pragma once
#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/graph/links.h"

namespace cameo::model {

// The common parts of a graph and a function.
struct Body {
  explicit Body(const onnx::proto::Graph& from) : nodes(from.nodes), graph(&from) {
    std::unordered_set<std::string_view> constants;
    for (const onnx::proto::Tensor& tensor : from.initializers) constants.insert(tensor.name);
    for (const onnx::proto::ValueInfo& input : from.inputs)
      if (!constants.contains(input.name)) inputs.push_back(input.name);
    for (const onnx::proto::ValueInfo& output : from.outputs) outputs.push_back(output.name);
  }
  explicit Body(const onnx::proto::Function& from)
      : nodes(from.nodes), inputs(from.inputs), outputs(from.outputs) {}

  std::span<const onnx::proto::Node> nodes;
  std::vector<onnx::proto::Text> inputs, outputs;  // inputs that an initialiser gives a default are left out
  const onnx::proto::Graph* graph = nullptr;       // null for a function
};

// The inputs of a node, without those at the end that are left out.
inline std::span<const onnx::proto::Text> given_inputs(const onnx::proto::Node& node) {
  std::size_t count = node.inputs.size();
  while (count > 0 && node.inputs[count - 1].empty()) --count;
  return std::span(node.inputs).first(count);
}

inline const onnx::proto::Attribute* find_attribute(const onnx::proto::Node& node, std::string_view name) {
  const auto found = std::ranges::find(node.attributes, name, &onnx::proto::Attribute::name);
  return found == node.attributes.end() ? nullptr : &*found;
}

// New names, in the second model, of values of the first model.
class Renames {
 public:
  explicit Renames(const Renames* outer = nullptr) : outer_(outer) {}
  void add(std::string_view from, std::string_view to) {
    if (!from.empty()) names_[from] = to;
  }
  std::string_view operator()(std::string_view name) const {
    const auto found = names_.find(name);
    if (found != names_.end()) return found->second;
    return outer_ ? (*outer_)(name) : name;
  }

 private:
  const Renames* outer_;
  std::unordered_map<std::string_view, std::string_view> names_;
};

}  // namespace cameo::model
