#pragma once
#include <optional>
#include <string_view>
#include <unordered_map>

#include "onnx/graph/graph.h"
#include "onnx/proto/messages.h"

namespace cameo::model {

// The values that nodes of a graph or of a function can refer to by name.
class Scope {
 public:
  // `graph`: null for a function, and for a subgraph of a node in a function. `inlined`: the nodes of this
  // scope become nodes of the graph around it.
  Scope(const Scope* outer, const onnx::proto::Graph* graph, bool inlined = false)
      : outer_(outer), graph_(graph), inlined_(inlined) {}

  const onnx::proto::Graph* graph() const { return graph_; }
  bool inlined() const { return inlined_; }

  void add(std::string_view name, onnx::Value* value) { values_.insert_or_assign(name, value); }
  bool holds(std::string_view name) const { return values_.contains(name); }  // without the scopes around it
  // Absent for a name that nothing defines; null for an input of a function that the call leaves out.
  std::optional<onnx::Value*> find(std::string_view name) const {
    const auto found = values_.find(name);
    if (found != values_.end()) return found->second;
    return outer_ ? outer_->find(name) : std::nullopt;
  }

  // The types that value infos and outputs of this graph declare; null for a name without one.
  void declare(const onnx::proto::Graph& graph) {
    for (const auto* infos : {&graph.value_infos, &graph.outputs})
      for (const onnx::proto::ValueInfo& info : *infos)
        if (info.type) declared_.emplace(info.name, &*info.type);
  }
  const onnx::proto::Type* declared(std::string_view name) const {
    const auto found = declared_.find(name);
    return found == declared_.end() ? nullptr : found->second;
  }

 private:
  const Scope* outer_;
  const onnx::proto::Graph* graph_;
  bool inlined_;
  std::unordered_map<std::string_view, onnx::Value*> values_;
  std::unordered_map<std::string_view, const onnx::proto::Type*> declared_;
};

}  // namespace cameo::model
