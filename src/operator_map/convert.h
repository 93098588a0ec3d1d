#pragma once
// Trying a call: the nodes that a converter emits for it.

#include <optional>
#include <string>
#include <vector>

#include "operator_map/sample.h"

namespace cameo::operator_map {

// An input or an attribute of a node.
struct Slot {
  std::string name;       // as ONNX calls it: "sizes", "axis"
  std::string value;      // "self", "%1", "[4, 6]", "cubic"; empty: left out
  bool standard = false;  // the default of an attribute that the node does not have

  bool operator==(const Slot&) const = default;
};

struct EmittedNode {
  std::string op;   // with its domain, if that is not ONNX's own
  int version = 0;  // of the operator; 0: not ONNX's
  std::vector<Slot> inputs, attributes;
  std::vector<std::string> outputs;
  std::vector<EmittedNode> body;  // of the subgraphs
};

enum class Outcome {
  converts,
  unsupported,  // this use of the operator has no conversion
  needs_opset,  // a newer opset supports it
  invalid,      // PyTorch would refuse the call
};

struct Conversion {
  Outcome outcome = Outcome::converts;
  std::string reason;  // if it does not convert
  std::vector<EmittedNode> nodes;
  std::vector<std::string> results;  // "output", or what they are without a node: "self", "f32[3]"

  std::vector<std::string> operators() const;  // of all nodes, those of subgraphs after the node around them
};

Conversion convert(const aten::Op& op, const Sample& sample, int opset);

}  // namespace cameo::operator_map
