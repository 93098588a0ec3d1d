#pragma once
// The operators that a graph calls, in this libtorch.

#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "exported/graph.h"

namespace cameo::torch {

struct TorchOperator {
  c10::FunctionSchema schema;
  std::function<void(::torch::jit::Stack&)> call;  // takes the arguments of the schema, gives its results
};

class TorchOperators {
 public:
  // Finds the operators of a graph and its subgraphs. Throws Error (Code::torch_cannot_load) with the names of all
  // that this libtorch lacks; `file` is for the diagnostic.
  TorchOperators(const exported::Graph& graph, const std::string& file);

  const TorchOperator& at(std::string_view target) const { return found_.at(target); }

 private:
  void find_all(const exported::Graph& graph);
  void find(std::string_view target, const std::vector<exported::NamedArgument>& arguments);

  std::map<std::string_view, TorchOperator> found_;  // by the target
  std::set<std::string> missing_;
};

// "aten::add.Tensor" of "torch.ops.aten.add.Tensor"; an overload called default is left out.
// The target itself if it is not an operator of torch.ops.
std::string operator_name(std::string_view target);

}  // namespace cameo::torch
