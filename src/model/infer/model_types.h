#pragma once
#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/import/importer.h"

namespace cameo::model {

// A value that a node of a graph makes, by its name in the file.
struct NamedValue {
  std::string_view name;
  const onnx::Value* value;
};

// Types and symbolic shapes of all values of a model, subgraphs included. Functions count where they are
// called.
class ModelTypes final : private ImportClient {
 public:
  // Contradictions are errors if `strict`, and warnings otherwise. With `fold_inputs`, an initialiser with the
  // name of an input is a constant. `opened` must outlive it.
  ModelTypes(Opened& opened, bool strict, bool fold_inputs = false);

  // Calls `observer` with each node when it is imported; a node of a loop or a function several times. Before
  // run().
  void observe(std::function<void(const ImportedNode&)> observer) { observer_ = std::move(observer); }
  void run();

  // The results of the nodes of the model's graph or of a subgraph; empty for a graph that was not entered.
  std::span<const NamedValue> values(const onnx::proto::Graph& graph) const;
  // The inputs of the model or of a subgraph that the importer knows as such; empty as above.
  std::span<onnx::Value* const> inputs(const onnx::proto::Graph& graph) const;
  std::vector<onnx::Fault> take_faults() { return importer_.take_faults(); }

 private:
  onnx::Value* input(onnx::Graph& graph, std::string_view name, onnx::Type type) override;
  onnx::Value* initializer(onnx::proto::Tensor& tensor, const Scope& scope) override;
  onnx::Value* sparse_initializer(std::string_view name, onnx::Type type) override;
  onnx::Value* undefined(std::string_view name) override;
  Values node(ImportedNode& node, const Scope& scope) override;
  void bound(const onnx::proto::Node& source, const Values& values, const Scope& scope) override;
  onnx::Graph& enter(onnx::proto::Graph& graph, const Scope& scope) override;
  void leave(onnx::proto::Graph& graph, onnx::Graph& made, const Scope& scope) override;
  bool inlines(const onnx::proto::Graph& branch) override;
  onnx::Visible visible() const override;
  onnx::Value* constant(onnx::DataPtr data) override;
  onnx::Value* op(std::string_view type, Values inputs, onnx::Attributes attributes) override;

  onnx::Value* value(onnx::Type type, std::string_view name);
  onnx::Type with_declared(const onnx::Type& inferred, std::string_view name, const Scope& scope);
  bool fresh(const onnx::Dim& dim) const;  // a symbol that no value has yet

  std::function<void(const ImportedNode&)> observer_;
  onnx::Model model_;
  Importer importer_;
  std::unordered_map<const onnx::proto::Graph*, std::vector<NamedValue>> values_;
  std::unordered_map<const onnx::proto::Graph*, const onnx::Graph*> graphs_;
  // Symbols in the order in which values came to have them.
  std::unordered_map<const sym::Atom*, std::size_t> seen_;
};

}  // namespace cameo::model
