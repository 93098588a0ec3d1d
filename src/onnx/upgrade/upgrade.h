#pragma once
// Translates a node of any opset to the newest form of its operator: the inverse of src/onnx/downgrade.

#include <cstdint>
#include <string_view>
#include <vector>

#include "onnx/graph/graph.h"

namespace cameo::onnx {

// The parts of a node that its newest form keeps.
enum class Fidelity {
  exact,  // everything
  types,  // types and shapes of the results, not the numbers: for inference only, never written
  none,   // nothing: no newest form is known, and the node is left as it was
};

// Makes the values that an upgraded node needs.
class Maker {
 public:
  virtual ~Maker() = default;
  virtual Value* constant(DataPtr data) = 0;
  // A node in its newest form, with one result.
  virtual Value* op(std::string_view type, std::vector<Value*> inputs, Attributes attributes) = 0;
};

// Changes `node`, which has `outputs` results and whose inputs are typed as far as is known, from the form
// that it has in `opset` of ai.onnx. Fidelity::none for an operator of another domain, one that the opset
// lacks, and one that is newer than what is known here.
Fidelity upgrade(Node& node, std::int64_t opset, std::size_t outputs, Maker& maker);

}  // namespace cameo::onnx
