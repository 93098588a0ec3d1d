#pragma once
// The nodes and values of an ONNX model and of all its bodies, by number.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/file/open.h"
#include "model/graph/value_infos.h"
#include "view/document/document.h"

namespace cameo::view {

struct FlatNode {
  const onnx::proto::Node* source = nullptr;
  int body = 0;
  std::vector<int> inputs, outputs;  // values; -1 where one is left out
  std::vector<int> older_inputs;     // read in the older model of a comparison only
  std::vector<int> bodies;           // that it holds
};

// Values of a body and of the node that holds it, which are the same at different times.
struct Passed {
  int outer, inner;
};

// The main graph, a graph that a node holds, or the body of a function where it is called.
struct FlatBody {
  int node = -1;  // that holds it; -1 for the main graph
  std::string name;
  std::vector<int> nodes;            // in the order of the file
  std::vector<int> inputs, outputs;  // values
  std::vector<Passed> given, taken;  // inputs of the node that become inputs; outputs that become outputs
  const onnx::proto::Graph* graph = nullptr;        // null for a function
  const onnx::proto::Function* function = nullptr;  // null for a graph
  std::shared_ptr<const model::ValueInfos> infos;   // null for a function
};

struct FlatValue {
  std::string_view name;
  ValueKind kind = ValueKind::computed;
  int producer = -1, body = 0, weight = -1;
  const onnx::proto::ValueInfo* info = nullptr;  // null if no type is known
};

struct FlatWeight {
  const onnx::proto::Tensor* tensor = nullptr;
  int value = 0;
  bool older = false;  // of the older model of a comparison
};

struct FlatGraph {
  std::vector<FlatNode> nodes;
  std::vector<FlatBody> bodies;  // the main graph first, holders before what they hold
  std::vector<FlatValue> values;
  std::vector<FlatWeight> weights;
};

// Nodes named Constant become weights. A name that nothing defines becomes an input of the main graph, so
// damaged models can be shown too. Calls of the model's functions are entered until there are `most` nodes.
FlatGraph flatten(const onnx::proto::Model& model, std::size_t most = 200'000);

}  // namespace cameo::view
