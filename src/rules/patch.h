#pragma once
// The graph while rules change it. Every change updates the list of readers of each value. Nodes are changed
// in place or removed, never inserted, so that their order stays a topological one.

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "onnx/graph/graph.h"

namespace cameo::rules {

class Patch {
 public:
  explicit Patch(onnx::Model& model);

  // Every node, of subgraphs too, in order.
  const std::vector<onnx::Node*>& nodes() const { return nodes_; }

  // ---- questions
  bool removed(const onnx::Node& node) const { return node.graph == nullptr; }
  bool is_output(const onnx::Value* value) const;  // of a graph or subgraph
  // One node reads it, once, and it is no output: its producer may change together with its reader.
  bool read_once(const onnx::Value* value) const;
  bool is_read(const onnx::Value* value) const;  // by a node, or as an output

  // ---- reasons
  // Returns `holds`. If it is false, `reason` says why the rule does not apply: "its input is not a
  // constant". The text must outlive the patch.
  bool require(bool holds, std::string_view reason) {
    if (!holds) reason_ = reason;
    return holds;
  }
  // The reason of the last requirement that was not met since the last call; empty: none.
  std::string_view take_reason() { return std::exchange(reason_, {}); }

  // ---- changes
  onnx::Value* constant(onnx::DataPtr data, std::string name = {});
  void set_input(onnx::Node& node, std::size_t index, onnx::Value* value);
  void set_inputs(onnx::Node& node, std::vector<onnx::Value*> values);
  void set_attribute(onnx::Node& node, std::string_view name, onnx::AttributeValue value);
  // Removes `node`, whose only result equals `same`, a value before it. Returns false and changes nothing if
  // an output of a graph would lose its name.
  bool bypass(onnx::Node& node, onnx::Value* same);
  // Removes `last`: `node` now computes its result. Only `last` may read the old result of `node`.
  void take_result(onnx::Node& node, onnx::Node& last);

  // Nodes around the changes since the last call.
  std::vector<onnx::Node*> take_touched() { return std::exchange(touched_, {}); }
  // Erases removed nodes from their graphs.
  void sweep();

 private:
  struct Uses {
    std::size_t inputs = 0, outputs = 0;
    std::vector<onnx::Node*> readers;  // perhaps some that read it no more
  };

  void collect(onnx::Graph& graph);
  void add_reader(onnx::Value* value, onnx::Node& reader);
  void drop_reader(onnx::Value* value);
  void move_readers(onnx::Value* from, onnx::Value* to);
  void remove(onnx::Node& node);

  onnx::Model& model_;
  std::vector<onnx::Graph*> graphs_;
  std::vector<onnx::Node*> nodes_;
  std::unordered_map<const onnx::Value*, Uses> uses_;  // of computed values
  std::vector<onnx::Node*> touched_;
  std::string_view reason_;
};

}  // namespace cameo::rules
