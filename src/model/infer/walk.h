#pragma once
// Inference over a file, node after node in the order of the file, through subgraphs and functions.

#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/import/lift.h"
#include "model/infer/scope.h"
#include "onnx/check/context.h"
#include "onnx/check/report.h"
#include "onnx/infer/infer.h"
#include "onnx/upgrade/upgrade.h"

namespace cameo::model {

using Types = std::vector<onnx::Type>;
using Values = std::vector<onnx::Value*>;
using Arguments = std::unordered_map<std::string_view, const onnx::proto::Attribute*>;

// Where nodes stand.
struct Place {
  const onnx::Imports* imports = nullptr;
  int loops = 0;  // around them
  // Of the call whose function they are in.
  const onnx::proto::Function* function = nullptr;
  const Arguments* arguments = nullptr;
  const Place* caller = nullptr;
};

// A value that a node of a graph made, by its name.
struct Found {
  std::string_view name;
  const onnx::Value* value;
};

class Walk : onnx::Maker {
 public:
  // Contradictions are errors if `strict`, and warnings otherwise.
  Walk(const Opened& opened, bool strict);

  void run();

  // What was found in the model's graph or a subgraph of it; nothing for a graph that was not walked.
  std::span<const Found> found(const onnx::proto::Graph& graph) const;
  std::vector<Diagnostic> take_diagnostics();

 private:
  // What inference knows of the outputs of a node.
  struct Results {
    Types types;
    std::vector<onnx::Elements> elements = {};
    std::vector<onnx::DataPtr> data = {};
    onnx::Node* producer = nullptr;
  };

  // ---- graphs: walk.cpp
  Scope initializers(const onnx::proto::Graph& graph, const Scope* outer);
  onnx::Value* value(onnx::Type type, std::string_view name);
  void nodes(const std::vector<onnx::proto::Node>& nodes, Scope& scope, const Place& place,
             std::vector<Found>* found);
  void node(const onnx::proto::Node& node, Scope& scope, const Place& place, std::vector<Found>* found);
  // The subgraph of a node, whose inputs are of the given types.
  onnx::Graph* body(const onnx::proto::Graph& graph, const Types& inputs, const Scope& outer,
                    const Place& place);
  onnx::Type with_declared(const onnx::Type& inferred, std::string_view name);
  void complain(std::string_view code, std::string_view message);

  // ---- nodes: node.cpp
  Results results(const onnx::proto::Node& node, const Values& inputs, const Scope& scope,
                  const Place& place);
  Results standard(const onnx::proto::Node& node, const onnx::facts::Operator& op, std::int64_t opset,
                   const Values& inputs, const Scope& scope, const Place& place);
  std::optional<onnx::Type> special(const onnx::proto::Node& node, const Place& place);
  std::optional<onnx::Attributes> attributes(const onnx::proto::Node& node, const onnx::facts::Operator& op,
                                             const Place& place);
  onnx::Value* constant(onnx::DataPtr data) override;
  onnx::Value* op(std::string_view type, Values inputs, onnx::Attributes attributes) override;

  // ---- calls of the model's functions: call.cpp
  Results call(const onnx::proto::Node& node, const onnx::proto::Function& function, const Values& inputs,
               const Place& place);

  // ---- nodes with subgraphs, which are added to `node`; false if they do not fit it: control.cpp
  bool control(onnx::Node& node, const onnx::proto::Node& from, const Scope& scope, const Place& place);
  bool branches(onnx::Node& node, const onnx::proto::Node& from, const Scope& scope, const Place& place);
  bool loop(onnx::Node& node, const onnx::proto::Node& from, const Scope& scope, const Place& place);
  bool scan(onnx::Node& node, const onnx::proto::Node& from, const Scope& scope, const Place& place);
  bool map(onnx::Node& node, const onnx::proto::Node& from, const Scope& scope, const Place& place);
  std::optional<Types> batched_scan(const onnx::proto::Node& from, const Values& inputs, const Scope& scope,
                                    const Place& place);
  // A body that is walked until the types of what it carries from step to step are the same before and after
  // it.
  struct Carried {
    std::size_t count, first_input, first_output;
  };
  onnx::Graph* settled(const onnx::proto::Graph& graph, Types inputs, Carried carried, const Scope& scope,
                       const Place& place);

  // ---- symbols, in the order in which values came to have them
  bool fresh(const onnx::Dim& dim) const;
  onnx::Visible visible_from_here() const;

  const Opened& opened_;
  bool strict_;
  onnx::Model model_;
  Lift lift_;
  onnx::Report report_;
  onnx::Imports imports_;
  onnx::Functions functions_;
  std::unordered_map<const onnx::proto::Graph*, std::vector<Found>> found_;
  // What value infos and outputs say of the values of the graph that is walked.
  std::unordered_map<std::string_view, const onnx::proto::Type*> declared_;
  std::unordered_map<const sym::Atom*, std::size_t> seen_;
  std::size_t steps_ = 0;
};

// An attribute as the call of the function says that the node is in; null if it is not given.
const onnx::proto::Attribute* argument(const onnx::proto::Attribute& attribute, const Place& place);
const onnx::proto::Attribute* argument(const onnx::proto::Node& node, std::string_view name,
                                       const Place& place);

}  // namespace cameo::model
