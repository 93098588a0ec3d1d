#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "model/infer/model_types.h"

namespace cameo::model {

// Writes inferred types into the model: value infos of the results of nodes, and types of outputs that have
// none or only a part, in subgraphs too. Owns the texts.
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

// Whether a value info can express it.
bool is_told(const onnx::Type& type);

}  // namespace cameo::model
