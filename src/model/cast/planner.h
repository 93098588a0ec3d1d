#pragma once
#include <deque>
#include <map>

#include "cameo/model.h"
#include "model/cast/scope.h"
#include "model/infer/model_types.h"
#include "model/rewrite/keep.h"
#include "model/rewrite/magnitudes.h"
#include "onnx/check/context.h"

namespace cameo::model {

// A node and the values that it reads and makes; null for those that are left out.
struct CastArguments {
  const onnx::proto::Node& node;
  const onnx::facts::Operator* op = nullptr;  // null: it is not known
  bool kept = false;
  bool from_sizes = false;  // it computes with sizes alone
  std::vector<const CastValue*> inputs = {}, outputs = {};
};

// Decides the element types of all nodes of a model. A decision depends on the node, on the types of its
// inputs in the file and on constants that it reads, not on decisions about other nodes.
class CastPlanner {
 public:
  // All of them must outlive it.
  CastPlanner(Opened& opened, const CastOptions& options, Kept& keep, Lift& lift);

  void run();

  CastScope& main() { return scopes_.front(); }
  CastScope& scope(const onnx::proto::Graph& graph) { return *by_graph_.at(&graph); }
  const CastPlan& plan(const onnx::proto::Node& node) const { return plans_.at(&node); }
  const onnx::facts::Operator* operator_of(const onnx::proto::Node& node) const;

  DType to() const { return to_; }
  bool converts(const onnx::Type& type) const;  // whether values of this type get the new one
  // The type of an output of the graph.
  DType required(const CastScope& scope, const CastValue& value) const;
  // Whether the constant can have the new type.
  bool in_range(const onnx::proto::Tensor& tensor) const { return !beyond_.contains(&tensor); }
  std::vector<Diagnostic> take_warnings();

 private:
  friend class CastDecision;
  void measure(const onnx::proto::Graph& graph);
  void judge(const onnx::proto::Tensor& tensor, const onnx::Data& data, const Magnitudes& found);
  void plan_all();
  CastScope& graph(onnx::proto::Graph& graph, CastScope* outer, bool kept, bool converts);
  void add_values(CastScope& scope);
  void constant_node(onnx::proto::Node& node, CastScope& scope);
  void node(onnx::proto::Node& node, CastScope& scope);
  void outputs(CastScope& scope);
  CastPlan decide(const CastArguments& arguments);  // decide.cpp
  void want(CastValue& value, DType type);

  Opened& opened_;
  const CastOptions& options_;
  Kept& keep_;
  Lift& lift_;
  DType to_;
  std::vector<DType> from_;
  onnx::Imports imports_;
  ModelTypes types_;
  bool sequences_ = true;  // sequences and optionals get the new type, all or none of them
  bool torn_ = false;      // a node could not convert a sequence
  std::deque<CastScope> scopes_;
  std::unordered_map<const onnx::proto::Graph*, CastScope*> by_graph_;
  std::unordered_map<const onnx::proto::Node*, CastPlan> plans_;
  std::map<const onnx::proto::Tensor*, Diagnostic> beyond_;
  std::map<const onnx::proto::Tensor*, double> smallest_;  // the smallest absolute value but 0
};

bool has_graphs(const onnx::facts::Operator& op);

// The attribute that gives the result of an operator its element type; empty if there is none.
std::string_view type_attribute(std::string_view op);

}  // namespace cameo::model
