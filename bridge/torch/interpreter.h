#pragma once
// Runs the graph of a torch.export program, call by call, through the dispatcher of libtorch.

#include <vector>

#include "exported/graph.h"
#include "node_arguments.h"
#include "torch_operators.h"
#include "verify/bridge.h"

namespace cameo::torch {

class Interpreter {
 public:
  // `operators` are those of the graph and must outlive the interpreter. `record`, if not null, gets the results of
  // each node as they are right after its call.
  Interpreter(const TorchOperators& operators, std::vector<verify::Operation>* record)
      : operators_(operators), record_(record) {}

  // One value for each input and output of the graph. Throws Error (Code::torch_refuses) that names the node if
  // libtorch fails.
  std::vector<c10::IValue> run(const exported::Graph& graph, const std::vector<c10::IValue>& inputs);

  // Calls an operator with arguments that are bound by name. Those without a name are bound in order.
  std::vector<c10::IValue> call(std::string_view target,
                                const std::vector<std::pair<std::string_view, c10::IValue>>& arguments) const;

  const TorchOperators& operators() const { return operators_; }

  // Whether calls give results of the element types that the graph records, with arguments cast to these.
  void set_recorded_types(bool enabled) { recorded_types_ = enabled; }
  bool recorded_types() const { return recorded_types_; }

 private:
  std::vector<c10::IValue> run_node(const exported::Node& node, Scope& scope);
  std::vector<c10::IValue> call_operator(const exported::Node& node, const Scope& scope) const;
  void record(const exported::Node& node, const std::vector<c10::IValue>& results);

  const TorchOperators& operators_;
  std::vector<verify::Operation>* record_;
  bool recorded_types_ = false;
};

}  // namespace cameo::torch
