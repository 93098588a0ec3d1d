#pragma once
// The interface between the importer of ONNX files and the tools that use it.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "cameo/diagnostic.h"
#include "model/import/scope.h"
#include "onnx/facts/facts.h"
#include "onnx/infer/infer.h"
#include "onnx/upgrade/upgrade.h"

namespace cameo::model {

using Types = std::vector<onnx::Type>;
using Values = std::vector<onnx::Value*>;

struct ImportPolicy {
  // A call of a function of the model: a node whose results are not known, or the nodes of its body.
  enum class Functions : std::uint8_t { keep, enter };
  // Bodies of Loop and Scan: imported once, with inputs of unknown shape, or again and again until the shapes
  // of the values that they carry no longer change.
  enum class Bodies : std::uint8_t { once, until_stable };
  // Constants that the importer computes: none, or small ones, which decide about shapes.
  enum class Fold : std::uint8_t { nothing, small };

  Functions functions = Functions::keep;
  Bodies bodies = Bodies::once;
  Fold fold = Fold::nothing;
  bool subgraphs_of_unknown = true;  // also enter subgraphs of nodes that the importer does not understand
  bool foreign_whole = false;        // nodes for which holds_foreign() is true are not entered
  bool declared_types = false;       // scopes hold the types that the file declares for results
  bool constant_defaults = false;    // an initialiser with the name of an input is a constant
  std::optional<Severity> faults;    // of faults of nodes; absent: they are not reported
  std::size_t node_limit = std::numeric_limits<std::size_t>::max();  // the importer stops after so many nodes
};

// A node of the file and all that the importer knows about it.
struct ImportedNode {
  onnx::proto::Node& source;
  const onnx::proto::Function* function = nullptr;  // of the model, if the node calls one
  const onnx::facts::Operator* op = nullptr;        // null if it is unknown, and for a call
  std::int64_t opset = 0;                           // of its domain
  onnx::Node read;    // as the file has it, without attributes that a graph cannot hold
  onnx::Node newest;  // the newest form of its operator, unless the fidelity is none
  onnx::Fidelity fidelity = onnx::Fidelity::none;
  bool fits = true;           // inputs, outputs, attributes and element types are those of the operator
  bool subgraphs_fit = true;  // they have as many inputs and outputs as the operator needs
  // At least one for each output of `source`: the last results of a node with subgraphs can be left out.
  std::vector<onnx::Inferred> results;
  std::vector<onnx::DataPtr> data;  // constant results by index; null, or missing at the end, if not constant
};

// Receives the parts of a file in the order of the file, and makes values for them. The base class is for the
// nodes that upgrading a node adds.
class ImportClient : public onnx::Maker {
 public:
  virtual onnx::Value* input(onnx::Graph& graph, std::string_view name, onnx::Type type) = 0;
  virtual onnx::Value* initializer(onnx::proto::Tensor& tensor, const Scope& scope) = 0;
  virtual onnx::Value* sparse_initializer(std::string_view name, onnx::Type type) = 0;
  // A name that nothing defines.
  virtual onnx::Value* undefined(std::string_view name) = 0;

  // The values of the node's results, in their order. Null, or missing at the end, for a result that has no
  // name in the file.
  virtual Values node(ImportedNode& node, const Scope& scope) = 0;
  // After the results of a node, or of a branch in place of an If, got these values in `scope`.
  virtual void bound(const onnx::proto::Node& source, const Values& values, const Scope& scope) = 0;

  // The graph for a graph of the file, which may be imported several times. `leave` follows when all of its
  // nodes are imported.
  virtual onnx::Graph& enter(onnx::proto::Graph& graph, const Scope& scope) = 0;
  virtual void leave(onnx::proto::Graph& graph, onnx::Graph& made, const Scope& scope) = 0;
  // Whether the nodes of the branch that a known condition selects replace the If.
  virtual bool inlines(const onnx::proto::Graph& branch) = 0;

  // Which formulas of sizes the node that is imported now can use.
  virtual onnx::Visible visible() const = 0;
};

}  // namespace cameo::model
