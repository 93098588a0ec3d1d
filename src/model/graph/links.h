#pragma once
#include <string_view>
#include <unordered_map>
#include <vector>

#include "onnx/proto/messages.h"

namespace cameo::model {

// The values that a node reads, each once: its inputs, and values from outside that its subgraphs read.
std::vector<onnx::proto::Text> reads(const onnx::proto::Node& node);

// The name of a sparse initialiser is that of its values.
inline onnx::proto::Text name_of(const onnx::proto::SparseTensor& tensor) {
  return tensor.values ? tensor.values->name : onnx::proto::Text{};
}

// The nodes that make and that read the values of a graph. Points into it.
struct Links {
  explicit Links(const onnx::proto::Graph& graph);

  std::unordered_map<std::string_view, std::size_t> maker;      // the node that a value comes from
  std::vector<std::vector<onnx::proto::Text>> reads;            // by node
  std::unordered_map<std::string_view, std::size_t> constants;  // initialisers, dense and then sparse
  std::unordered_map<std::string_view, std::size_t>
      open_inputs;  // inputs that no initialiser gives a default

  bool has(std::string_view value) const {
    return maker.contains(value) || constants.contains(value) || open_inputs.contains(value);
  }
};

}  // namespace cameo::model
