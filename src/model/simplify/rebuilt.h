#pragma once
// The new graph of a file, and the origin of each part.

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "onnx/graph/graph.h"
#include "onnx/proto/messages.h"

namespace cameo::model {

struct Rebuilt {
  struct Source {
    onnx::proto::Node* node = nullptr;
    onnx::Attributes attributes;  // as they were read; those that could not be are not among them
  };

  onnx::Model model;
  std::unordered_map<const onnx::Node*, Source> nodes;
  std::unordered_map<const onnx::Graph*, onnx::proto::Graph*> graphs;
  // Constants of the file, in its order.
  std::vector<onnx::Value*> constants;
  std::unordered_map<const onnx::Value*, onnx::proto::Tensor*> tensors;
  // Results that the file leaves out.
  std::unordered_set<const onnx::Value*> absent;
  // The number of definitions of a name: subgraphs that do not see one another may use the same one.
  std::unordered_map<std::string_view, int> defined;
  // Values that are in another graph than in the file.
  std::unordered_set<const onnx::Value*> moved;
  // The step that replaced a node, by the names of its results in the file.
  std::map<std::string, std::string_view, std::less<>> replaced;
  // Conditions on sizes of inputs that the new graph needs.
  std::vector<std::string> assumptions;
};

}  // namespace cameo::model
