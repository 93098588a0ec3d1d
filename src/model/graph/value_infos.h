#pragma once
#include <span>
#include <string_view>
#include <unordered_map>

#include "onnx/proto/messages.h"

namespace cameo::model {

// The types that a graph declares for its values.
class ValueInfos {
 public:
  explicit ValueInfos(const onnx::proto::Graph& graph);

  // Null if no type of `value` is declared.
  const onnx::proto::ValueInfo* find(std::string_view value) const;
  // For a list of inputs or outputs; without a type where none is known. `value` must outlive the result.
  onnx::proto::ValueInfo describe(std::string_view value) const;

 private:
  std::unordered_map<std::string_view, const onnx::proto::ValueInfo*> infos_;
  std::unordered_map<std::string_view, const onnx::proto::Tensor*> tensors_;
};

// Makes values outputs of the graph too; those that are outputs already stay so. `values` must outlive the
// graph.
void add_outputs(onnx::proto::Graph& graph, std::span<const std::string_view> values);

}  // namespace cameo::model
