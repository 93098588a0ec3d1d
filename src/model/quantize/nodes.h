#pragma once
// Nodes and attributes of messages.

#include <initializer_list>
#include <utility>
#include <vector>

#include "onnx/facts/facts.h"
#include "onnx/proto/messages.h"

namespace cameo::model {

using IntegerAttributes = std::initializer_list<std::pair<onnx::proto::Text, std::int64_t>>;

// The texts must outlive the node.
inline onnx::proto::Node make_node(onnx::proto::Text op, onnx::proto::Text name,
                                   std::vector<onnx::proto::Text> inputs, onnx::proto::Text output,
                                   IntegerAttributes attributes = {}) {
  onnx::proto::Node node;
  node.op_type = op;
  node.name = name;
  node.inputs = std::move(inputs);
  node.outputs = {output};
  for (const auto& [key, value] : attributes) {
    onnx::proto::Attribute& attribute = node.attributes.emplace_back();
    attribute.name = key;
    attribute.type = static_cast<std::int32_t>(onnx::facts::Kind::integer);
    attribute.i = value;
  }
  return node;
}

}  // namespace cameo::model
