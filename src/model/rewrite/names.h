#pragma once
// New names in the messages of a model.

#include <string>
#include <string_view>
#include <unordered_set>

#include "onnx/proto/messages.h"
#include "onnx/proto/texts.h"

namespace cameo::model {

// Makes names that no value and no node of a model has. Owns their texts.
class Names {
 public:
  explicit Names(const onnx::proto::Model& model);

  // `wanted`, or the first of wanted_1, wanted_2 … that is free.
  onnx::proto::Text fresh(std::string_view wanted);
  onnx::proto::Text keep(std::string text) { return texts_.keep(std::move(text)); }

 private:
  void take(const onnx::proto::Graph& graph);
  void take(const std::vector<onnx::proto::Node>& nodes);

  std::unordered_set<std::string_view> taken_;
  onnx::proto::Texts texts_;
};

}  // namespace cameo::model
