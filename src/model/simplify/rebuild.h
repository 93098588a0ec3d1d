#pragma once
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cameo/model.h"
#include "model/import/lift.h"
#include "model/simplify/rebuilt.h"
#include "model/simplify/steps.h"
#include "onnx/emit/emit.h"
#include "onnx/infer/infer.h"
#include "onnx/upgrade/upgrade.h"

namespace cameo::model {

// Emits the nodes of a file again, one after the other. Each is raised to the newest form of its operator:
// there it can be computed, replaced by formulas of sizes, or found to be equal to one before. What cannot is
// put into the new graph as the file has it.
class Rebuild final : private onnx::Maker {
 public:
  Rebuild(Opened& opened, const Arena& arena, Steps& steps, const SimplifyOptions& options, Rebuilt& into);
  void run();

 private:
  // What names stand for in a graph of the file.
  struct Names {
    const Names* outer = nullptr;
    std::unordered_map<std::string_view, onnx::Value*> values = {};
    bool moved = false;  // its nodes go to the graph around it
  };
  using Results = std::vector<onnx::Inferred>;
  using Values = std::vector<onnx::Value*>;
  struct Read {
    onnx::Node node;
    bool whole = true;  // no attribute is missing
  };

  // ---- graphs (rebuild_graph.cpp)
  void main_inputs(Names& names);
  void initializers(onnx::proto::Graph& graph, Names& names);
  void outputs(const onnx::proto::Graph& graph, Names& names);
  onnx::Value* output(onnx::Value* value, std::string_view name, const onnx::proto::Graph& graph);
  onnx::Graph* subgraph(onnx::proto::Graph& graph, const onnx::Node& around, Names& names);
  bool inline_branch(onnx::proto::Node& source, Names& names);
  void control(onnx::proto::Node& source, Names& names);

  // ---- nodes (rebuild.cpp)
  void count_reads(const onnx::proto::Graph& graph);
  void nodes(std::vector<onnx::proto::Node>& list, Names& names);
  void node(onnx::proto::Node& source, Names& names);
  Read read(onnx::proto::Node& source, Names& names);
  // Its newest form, and what it gives. Nothing is known of a node that does not fit its operator.
  struct Understood {
    onnx::Fidelity fidelity = onnx::Fidelity::none;
    onnx::Node newest;
    Results results;
  };
  bool fits(const onnx::proto::Node& source, const onnx::Node& read) const;
  Understood understand(const onnx::proto::Node& source, const Read& read, std::size_t outputs);
  Results inferred(const onnx::Node& newest, std::size_t outputs);
  void check_arguments(const onnx::proto::Node& source, const onnx::Node& read) const;
  Values keep(onnx::proto::Node& source, const onnx::Node& read, const Results& results);
  void bind(const onnx::proto::Node& source, const Values& values, Names& names);
  onnx::Value* find(std::string_view name, const Names& names) const;
  bool standard(const onnx::proto::Node& node) const;

  // ---- steps (rebuild_steps.cpp): the values that a node is replaced by; empty: it stays
  Values simplified(onnx::proto::Node& source, const onnx::Node& read, const onnx::Node& newest,
                    const Results& results);
  Values extracted(onnx::proto::Node& source, const onnx::Node& newest);
  Values as_sizes(const Results& results);
  Values folded(const onnx::proto::Node& source, const onnx::Node& newest, const Results& results);
  bool stays(const onnx::proto::Node& source, const onnx::Node& newest) const;
  Values shared(const std::string& key);
  Values reshaped(onnx::proto::Node& source, const onnx::Node& read, const onnx::Node& newest,
                  const Results& results);

  // ---- constants
  onnx::DataPtr data(const onnx::proto::Tensor& tensor);
  onnx::Value* constant_of(onnx::DataPtr data, std::string_view name, onnx::proto::Tensor* tensor);

  // ---- what raising needs
  onnx::Value* constant(onnx::DataPtr data) override { return emit_.constant(std::move(data)); }
  onnx::Value* op(std::string_view type, Values inputs, onnx::Attributes attributes) override;

  Opened& opened_;
  const Arena& arena_;
  Steps& steps_;
  const SimplifyOptions& options_;
  Rebuilt& into_;
  std::int64_t opset_;  // of ai.onnx; 0 if it is not imported
  bool formulas_;       // sizes can be computed in the words of that opset
  Lift lift_;
  onnx::Emit emit_;
  std::unordered_map<const onnx::Graph*, std::unordered_map<std::string, Values>> equal_;
  std::unordered_map<std::string, Values> large_;  // constants by what they look like
  std::unordered_set<std::string_view> output_names_;
  std::unordered_map<std::string_view, int> reads_;  // how often the file reads a name
  std::unordered_set<std::string> functions_;        // "domain::name" of those that the model defines
};

}  // namespace cameo::model
