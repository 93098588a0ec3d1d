#pragma once
// ONNX messages in protobuf's wire format, all but the bytes of initialisers.

#include <cstdint>
#include <string>
#include <vector>

#include "onnx/graph/graph.h"
#include "write/write.h"

namespace cameo {

// A constant and the name it is written under.
struct Initializer {
  std::string name;
  onnx::DataPtr data;
};

// Every constant that a node or an output of the graph or a subgraph refers to, in order of first use.
std::vector<Initializer> initializers(const onnx::Graph& graph);

// The fields of ModelProto but for its graph.
std::string encode_model_head(const onnx::Model& model);
// The fields of GraphProto but for its initialisers.
std::string encode_graph(const onnx::Graph& graph, const WriteOptions& options);
// The fields of TensorProto but for its elements.
std::string encode_tensor_head(const Initializer& initializer);

// The whole of ModelProto but for the elements of initialisers.
std::string encode_without_weights(const onnx::Model& model, const WriteOptions& options);

// Where an initialiser's elements lie in a file of their own.
struct External {
  std::string file;  // relative to the model
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};
std::string encode_external(const External& place);

// Tag and length of a length-delimited field: what stands before `length` bytes.
std::string field_head(std::uint32_t field, std::uint64_t length);

namespace field {
inline constexpr std::uint32_t kModelGraph = 7, kGraphInitializer = 5, kTensorRawData = 9;
}

}  // namespace cameo
