#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "model/infer/model_types.h"

namespace cameo::model {

// Writes what a walk found into the model: value infos of what nodes make, and types of outputs that lack one
// or a part of one, in subgraphs too. The texts live here.
class Declarations {
 public:
  void declare(onnx::proto::Graph& graph, const ModelTypes& types);

  // A size as it is written: its formula, or a name of its own if that would be too long.
  std::string_view text(const onnx::Dim& dim);

 private:
  onnx::proto::Type message(const onnx::Type& type);
  onnx::proto::Dimension message(const onnx::Dim& dim);
  void complete(onnx::proto::ValueInfo& info, const onnx::Type& type);
  void complete(onnx::proto::Type& declared, const onnx::Type& type);

  std::unordered_map<onnx::Dim, std::string_view> texts_;
  std::deque<std::string> kept_;
  std::size_t named_ = 0;
};

// Whether a value info can say it.
bool is_told(const onnx::Type& type);

}  // namespace cameo::model
