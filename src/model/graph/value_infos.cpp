#include "model/graph/value_infos.h"

#include <algorithm>
#include <unordered_set>

#include "onnx/proto/value_info.h"

namespace cameo::model {

using onnx::proto::Tensor;
using onnx::proto::Type;
using onnx::proto::ValueInfo;

ValueInfos::ValueInfos(const onnx::proto::Graph& graph) {
  for (const std::vector<ValueInfo>* list : {&graph.outputs, &graph.inputs, &graph.value_infos})
    for (const ValueInfo& info : *list)
      if (info.type) infos_.emplace(info.name, &info);
  for (const Tensor& tensor : graph.initializers) tensors_.emplace(tensor.name, &tensor);
}

const ValueInfo* ValueInfos::find(std::string_view value) const {
  const auto found = infos_.find(value);
  return found == infos_.end() ? nullptr : found->second;
}

ValueInfo ValueInfos::describe(std::string_view value) const {
  if (const ValueInfo* info = find(value)) return *info;
  if (const auto tensor = tensors_.find(value); tensor != tensors_.end())
    return onnx::proto::value_info(*tensor->second);
  ValueInfo info;
  info.name = value;
  return info;
}

void add_outputs(onnx::proto::Graph& graph, std::span<const std::string_view> values) {
  const ValueInfos infos(graph);
  std::unordered_set<std::string_view> listed;
  for (const ValueInfo& output : graph.outputs) listed.insert(output.name);
  std::vector<ValueInfo> added;
  for (const std::string_view value : values)
    if (listed.insert(value).second) added.push_back(infos.describe(value));
  std::ranges::move(added, std::back_inserter(graph.outputs));
}

}  // namespace cameo::model
