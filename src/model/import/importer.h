#pragma once
// The importer of ONNX files: imports the nodes of a model in their order, with their subgraphs and the
// functions they call. It resolves names, checks each node against its operator, upgrades it to the newest
// form and infers the types of its results. A client makes values and nodes of that.

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/import/client.h"
#include "model/import/lift.h"
#include "onnx/check/context.h"
#include "onnx/check/report.h"

namespace cameo::model {

class Importer {
 public:
  // All of them must outlive the importer; the symbols are those of the client's graph.
  Importer(Opened& opened, sym::Context& symbols, ImportClient& client, const ImportPolicy& policy);

  void run();

  Lift& lift() { return lift_; }
  // Reports a fault of the node that is imported now, as the policy says.
  void fault(Code code, std::string_view message);
  // Each fault once, although bodies and functions can be imported several times.
  std::vector<onnx::Fault> take_faults();

 private:
  using Arguments = std::unordered_map<std::string_view, onnx::proto::Attribute*>;
  // The place of nodes.
  struct Place {
    const onnx::Imports* imports = nullptr;
    int loops = 0;  // around them
    // The call whose function they are in.
    const onnx::proto::Function* function = nullptr;
    const Arguments* arguments = nullptr;
    const Place* caller = nullptr;
  };
  // Whether the newest form of a node holds the attributes that its operator has.
  struct Lifted {
    bool all_needed = true;  // except for types, which inference does not need
    bool all = true;
  };

  // ---- graphs: importer.cpp
  void main_inputs(onnx::proto::Graph& graph, onnx::Graph& made, Scope& scope);
  void initializers(onnx::proto::Graph& graph, Scope& scope);
  void nodes(std::vector<onnx::proto::Node>& nodes, Scope& scope, const Place& place);
  // A subgraph whose inputs have these types, as far as they are known.
  onnx::Graph* body(onnx::proto::Graph& graph, const Types& inputs, const Scope& outer, const Place& place);
  onnx::Type body_input(const onnx::proto::ValueInfo& input, onnx::Type type);

  // ---- nodes: node.cpp
  void node(onnx::proto::Node& source, Scope& scope, const Place& place);
  onnx::Value* resolve(std::string_view name, const Scope& scope);
  void bind(const onnx::proto::Node& source, const Values& values, Scope& scope);
  const onnx::facts::Operator* find_operator(const onnx::proto::Node& source, std::int64_t opset) const;
  Lifted attributes(ImportedNode& node, const Place& place);
  void understand(ImportedNode& node, const Scope& scope, const Place& place);
  std::optional<onnx::Type> special(const ImportedNode& node, const Place& place);
  void infer(ImportedNode& node, std::size_t results, onnx::Fidelity most, const onnx::Visible& visible);

  // ---- calls of the model's functions: call.cpp
  onnx::proto::Function* find_function(const onnx::proto::Node& node) const;
  static bool calls_itself(const onnx::proto::Function& function, const Place& place);
  void call(ImportedNode& node, onnx::proto::Function& function, const Place& place);
  // An attribute with the value that the call of the function around it gives it; null if there is none.
  static onnx::proto::Attribute* argument(onnx::proto::Attribute& attribute, const Place& place);
  static onnx::proto::Attribute* argument(onnx::proto::Node& node, std::string_view name, const Place& place);
  static onnx::proto::Graph* graph_of(onnx::proto::Node& node, std::string_view name, const Place& place);

  // ---- nodes with subgraphs: control.cpp
  bool inline_branch(const ImportedNode& node, Scope& scope, const Place& place);
  // The number of results that the subgraphs give the node; absent if they do not fit it.
  std::optional<std::size_t> count_results(const ImportedNode& node, const Place& place) const;
  // Imports the subgraphs and adds them to both forms of the node; false if they do not fit it.
  bool control(ImportedNode& node, const Scope& scope, const Place& place);
  void branches(ImportedNode& node, const Scope& scope, const Place& place);
  bool loop(ImportedNode& node, const Scope& scope, const Place& place);
  void scan(ImportedNode& node, const Scope& scope, const Place& place);
  void batched_scan(ImportedNode& node, const Scope& scope, const Place& place);
  void sequence_map(ImportedNode& node, const Scope& scope, const Place& place);
  // Subgraphs of which only the declarations are known.
  void other_subgraphs(ImportedNode& node, const Scope& scope, const Place& place);
  // The inputs and outputs of a body that carry values from one iteration to the next.
  struct Carried {
    std::size_t count, first_input, first_output;
  };
  onnx::Graph* iterated(onnx::proto::Graph& graph, Types inputs, Carried carried, const Scope& scope,
                        const Place& place);

  Opened& opened_;
  ImportClient& client_;
  ImportPolicy policy_;
  Lift lift_;
  onnx::Report report_;
  onnx::Imports imports_;
  std::map<onnx::FunctionKey, onnx::proto::Function*> functions_;
  std::size_t imported_ = 0;  // nodes, each as often as it was
};

// Whether a node, or a node in one of its subgraphs, is of an operator outside of ai.onnx that holds graphs. Only
// the operator knows what they mean.
bool holds_foreign(const onnx::proto::Node& node);

// The numbers that a node makes of small constants; empty if there are none, or they cannot be computed.
std::vector<onnx::DataPtr> fold_small(const onnx::Node& node, const std::vector<onnx::Inferred>& results);

}  // namespace cameo::model
