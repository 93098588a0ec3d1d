#pragma once
// The facts of the table of operators about a node: whether it conforms to its operator, and the element
// types of its results.

#include <optional>
#include <string>
#include <vector>

#include "onnx/facts/facts.h"
#include "onnx/graph/graph.h"
#include "onnx/proto/messages.h"

namespace cameo::model {

// The reason why the node cannot be understood; empty if there is none.
std::string misfit(const onnx::proto::Node& node, const onnx::facts::Operator& op);

struct ElementTypes {
  // Of each result, its kind and element type without a shape; unknown where the operator leaves it open.
  std::vector<onnx::Type> results;
  bool fit = true;  // the inputs are of types that the operator takes, and takes together
};
ElementTypes element_types(const onnx::facts::Operator& op, const std::vector<onnx::Value*>& inputs,
                           std::size_t outputs);

// `found`, with the kind and element type that `operator_says` adds.
onnx::Type completed(onnx::Type found, const onnx::Type& operator_says);

}  // namespace cameo::model
