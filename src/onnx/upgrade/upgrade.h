#pragma once
// The way up: a node of any opset, said in the newest form of its operator. What src/onnx/opset says in older
// words, this says in newer ones.

#include <cstdint>
#include <string_view>
#include <vector>

#include "onnx/graph/graph.h"

namespace cameo::onnx {

// How much of a node its newest form keeps.
enum class Fidelity {
  exact,  // everything
  types,  // types and shapes of the results, not the numbers: good for inference, never to be written
  none,   // nothing: no newest form is known, and the node is left as it was
};

// Where raising puts what the node needs beside itself.
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
