#pragma once
#include <functional>
#include <map>
#include <set>

#include "model/quantize/integers.h"
#include "model/quantize/quantize.h"
#include "model/quantize/weights.h"
#include "model/rewrite/names.h"

namespace cameo::model {

// Replaces weights of a model by integers.
class WeightQuantizer {
 public:
  // All of them must outlive it.
  WeightQuantizer(Opened& opened, const QuantizeOptions& options, Names& names);

  // Weights for which this is false stay as they are.
  std::function<bool(const Weight&)> takes;
  bool always_zero_points = false;  // also where the zero point is the default

  // Throws Error if there is nothing to do, or it cannot be done; the model may have changed then.
  std::vector<QuantizedWeight> run();

  // The scales of a weight, by its name; null if it was not quantised. After run().
  const Fit* fit_of(std::string_view weight) const;

 private:
  // One weight and the integers that it becomes.
  struct Job {
    Weight weight;
    Grouping grouping = {};
    std::shared_ptr<Fit> fit = nullptr;
    std::string name = {};
  };
  using Graph = onnx::proto::Graph;
  using Node = onnx::proto::Node;
  using Text = onnx::proto::Text;

  static bool fits_product(const Weight& weight);
  void require_opset() const;
  void require_whole_blocks() const;
  void fit_all();
  QuantizedWeight described(const Job& job) const;
  bool has_zero_points() const;
  Text add_initializer(const Job& job, std::string_view suffix, onnx::DataPtr data);
  void write_dequantize(const Job& job);
  void write_product(const Job& job);
  std::vector<Node> make_product(const Node& source, std::vector<Text> inputs, const Job& job,
                                 std::int64_t columns);
  static onnx::DataPtr scales_by_column(const Job& job, std::int64_t count);
  static onnx::DataPtr zeros_by_column(const Job& job, std::int64_t columns, std::int64_t blocks);
  void rewrite(Graph& graph);
  void replace_initializers(Graph& graph);

  Opened& opened_;
  const QuantizeOptions& options_;
  Names& names_;
  onnx::Model symbols_;
  Lift lift_;
  Integers integers_;
  std::vector<Job> jobs_;
  std::map<Graph*, std::vector<onnx::proto::Tensor>> added_;
  std::map<Graph*, std::multimap<std::size_t, Node>> before_;  // nodes before the node of an index
  std::map<Graph*, std::set<std::string_view>> removed_;       // initialisers
  std::map<const Node*, std::vector<Node>> products_;          // in place of a node
};

[[noreturn]] void fail_quantizing(const Opened& opened, Code code, std::string message, std::string hint);

}  // namespace cameo::model
