#pragma once
// Lowers a graph to the messages of an ONNX file.

#include <vector>

#include "onnx/graph/graph.h"
#include "onnx/proto/messages.h"
#include "onnx/proto/texts.h"

namespace cameo::onnx {

struct LowerOptions {
  bool value_info = false;   // types of intermediate values too, not only of inputs and outputs
  bool doc_strings = false;  // the origin of each node, for readers
  bool metadata = false;     // the origin of each node, for programs: operator, module and line of Python
  bool initializers_as_inputs = false;
};

// The result points into `texts`. It shares the elements of constants with the graph: they are read while the
// messages are written.
class Lowering {
 public:
  explicit Lowering(proto::Texts& texts, LowerOptions options = {}) : texts_(texts), options_(options) {}

  // Needs a finished model: pruned, with unique names. The same model gives the same messages.
  proto::Model model(const Model& model);

  // The main graph has an initialiser for each constant in use. Subgraphs have none.
  proto::Graph graph(const Graph& graph);
  proto::Node node(const Node& node);
  // Without absent inputs at the end.
  std::vector<proto::Text> inputs(const Node& node);
  proto::Attribute attribute(const Attribute& attribute);
  proto::Tensor tensor(const DataPtr& data);  // without a name
  proto::ValueInfo value_info(const Value& value);

 private:
  proto::Text text(std::string text) { return texts_.keep(std::move(text)); }
  proto::Entry entry(std::string key, std::string value);
  void initializers(const Graph& graph, proto::Graph& into);
  void value_infos(const Graph& graph, proto::Graph& into);
  void add_metadata(const Origin& origin, proto::Node& into);

  proto::Texts& texts_;
  LowerOptions options_;
};

}  // namespace cameo::onnx
