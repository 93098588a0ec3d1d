#pragma once
// Makes a model that linger's modules exported with floats into one that computes with integers.

#include <map>
#include <set>
#include <tuple>

#include "cameo/model.h"
#include "model/graph/links.h"
#include "model/import/lift.h"
#include "model/linger/operators.h"
#include "model/rewrite/names.h"

namespace cameo::model::linger {

struct Counts {
  std::size_t weights = 0, dequants = 0;
};

class Converter {
 public:
  // `opened` must have its nodes in topological order, and must outlive the converter.
  Converter(Opened& opened, Generation generation, const LingerOptions& options);

  Counts run();

 private:
  using Node = onnx::proto::Node;
  using Text = onnx::proto::Text;
  using States = std::map<std::string_view, State>;

  void lift_constants();
  void drop_identities();
  void fold_quants();
  void quantize_weights();
  std::optional<Scale> scale_behind(const Node& node, std::size_t input) const;
  void replace_weight(Node& node, std::size_t input, const Scale& scale);
  void remove_idle_weights();
  void insert_dequants();
  void dequantize_outputs();
  Text dequantized(Text value, double scale, std::vector<Node>& nodes, Text result);
  void name_values();
  void declare_types();
  void require_quantized_weights() const;
  void require_boundaries() const;

  States initial_states() const;
  std::vector<State> inputs_of(const Node& node, const States& states) const;
  void add_results(const Node& node, const std::vector<State>& inputs, States& states) const;
  bool is_float_weight(Text value) const;

  Opened& opened_;
  onnx::proto::Graph& graph_;
  Generation generation_;
  const LingerOptions& options_;
  std::shared_ptr<Names> names_;
  sym::Context symbols_;
  Lift lift_;
  std::map<std::string_view, std::size_t> weights_;  // initialisers by name
  std::map<std::string_view, std::size_t> readers_;  // how often nodes read a value
  std::map<std::tuple<std::string_view, double, std::int64_t, Rounding>, Text> made_;
  std::map<std::string_view, Scale> scales_;  // of the weights that were quantised
  std::map<std::string_view, onnx::proto::DataType> declared_;
  std::set<std::string_view> inputs_;                                                  // of the model
  std::map<std::string_view, std::vector<std::pair<std::size_t, std::size_t>>> uses_;  // node and input
  Counts counts_;
};

}  // namespace cameo::model::linger
