#pragma once
#include <deque>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cameo/model.h"
#include "model/import/importer.h"
#include "model/simplify/rebuilt.h"
#include "model/simplify/rewriting.h"
#include "model/simplify/steps.h"
#include "onnx/emit/emit.h"

namespace cameo::model {

// Makes the graph of a file anew, one node after the other. The newest form of a node shows whether it can be
// computed, replaced by formulas of sizes, or is equal to a node before it. All other nodes enter the new
// graph as the file has them.
class Rebuild final : private ImportClient {
 public:
  // `rewriting` may be null.
  Rebuild(Opened& opened, Steps& steps, const SimplifyOptions& options, Rewriting* rewriting, Rebuilt& into);
  // Throws Error (stage read) for a model that the rules could not rely on.
  void run();

 private:
  using Results = std::vector<onnx::Inferred>;

  // ---- graphs (rebuild_graph.cpp)
  onnx::Value* input(onnx::Graph& graph, std::string_view name, onnx::Type type) override;
  onnx::Value* initializer(onnx::proto::Tensor& tensor, const Scope& scope) override;
  onnx::Value* sparse_initializer(std::string_view name, onnx::Type type) override;
  onnx::Graph& enter(onnx::proto::Graph& graph, const Scope& scope) override;
  void leave(onnx::proto::Graph& graph, onnx::Graph& made, const Scope& scope) override;
  bool inlines(const onnx::proto::Graph& branch) override;
  void keep_captured(onnx::Graph& made, const onnx::proto::Graph& graph, const Scope& scope);
  onnx::Value* output(onnx::Value* value, std::string_view name, const onnx::proto::Graph& graph);

  // ---- nodes (rebuild.cpp)
  void count_reads(const onnx::proto::Graph& graph);
  // Finds the values that nodes with foreign graphs read: they stay, under their names.
  void find_captured(const onnx::proto::Graph& graph);
  // Reserves the names that a foreign graph defines.
  void reserve(const onnx::proto::Graph& graph);
  onnx::Value* undefined(std::string_view name) override;
  Values node(ImportedNode& node, const Scope& scope) override;
  void bound(const onnx::proto::Node& source, const Values& values, const Scope& scope) override;
  onnx::Visible visible() const override;
  onnx::Value* constant(onnx::DataPtr data) override { return emit_.constant(std::move(data)); }
  onnx::Value* op(std::string_view type, Values inputs, onnx::Attributes attributes) override;
  void check(const ImportedNode& node) const;
  Values keep(ImportedNode& node);

  // ---- steps (rebuild_steps.cpp): the values that replace the results of a node; empty: it stays
  Values simplified(const ImportedNode& node);
  Values extracted(const ImportedNode& node);
  Values as_sizes(const Results& results);
  Values folded(const ImportedNode& node);
  bool stays(const ImportedNode& node) const;
  Values shared(const std::string& key);
  Values reshaped(const ImportedNode& node);

  // ---- constants
  onnx::Value* constant_of(onnx::DataPtr data, std::string_view name, onnx::proto::Tensor* tensor);

  Opened& opened_;
  Steps& steps_;
  Rewriting* rewriting_;
  Rebuilt& into_;
  std::int64_t opset_;  // of ai.onnx; 0 if it is not imported
  bool formulas_;       // sizes can be computed with the operators of that opset
  Importer importer_;
  onnx::Emit emit_;
  std::deque<onnx::Emit::Scope> scopes_;  // of the subgraphs around the node that is imported now
  std::unordered_map<const onnx::Graph*, std::unordered_map<std::string, Values>> equal_;
  std::unordered_map<std::string, Values> large_;  // constants by type and first bytes
  std::unordered_set<std::string_view> output_names_;
  std::unordered_set<std::string_view> captured_names_;
  std::vector<std::string_view> captured_;
  std::unordered_map<std::string_view, int> reads_;  // how often the file reads a name
};

}  // namespace cameo::model
