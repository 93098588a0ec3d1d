#pragma once
// Graphs of files and of the exporter in the form of PyTorch's own dumps.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx/graph/type.h"

namespace cameo::onnx::torch_text {

struct Type {
  enum class Kind : std::uint8_t { tensor, sequence, optional };
  Kind kind = Kind::tensor;
  std::string scalar;                                                  // "Float"
  std::optional<std::vector<std::optional<std::int64_t>>> sizes = {};  // absent: not even how many
};

std::optional<Type> type_of(const onnx::Type& type);  // absent: not known

struct Value {
  std::string name;
  std::optional<Type> type = {};
  bool parameter = false;  // of an input: it has a value in the file
};

struct Attribute {
  std::string name;
  std::string text;      // as PyTorch 1.x prints the value; empty for a graph, which is a block there
  std::string old_text;  // as 0.3 did
};

struct Block;
struct Node {
  std::vector<Value> outputs;
  std::string domain, op;  // "onnx", "Conv"
  std::vector<Attribute> attributes = {};
  std::vector<std::string> inputs = {};  // empty: left out
  std::string scope = {};                // of the module that it is from
  std::string place = {};                // "net.py:7:0"
  std::vector<Block> blocks;
};

struct Block {
  std::vector<Value> inputs;
  std::vector<Node> nodes;
  std::vector<std::string> outputs;
};

// As torch.onnx.export(verbose=True) of PyTorch 1.x prints it:
//
//   graph(%x : Float(2, 10, strides=[10, 1], requires_grad=0, device=cpu),
//         %weight : Float(2, 10, strides=[10, 1], requires_grad=0, device=cpu)):
//     %output : Float(2, 2, …) = onnx::Gemm[alpha=1., beta=1., transB=1](%x, %weight) # net.py:7:0
//     return (%output)
std::string dump(const Block& graph);

// As PyTorch 0.3 printed it, with parameters before the actual inputs, and the uses of each value:
//
//   graph(%weight : Float(2, 10)
//         %x : Float(2, 10)) {
//     %output : Float(2, 2) = Gemm[alpha=1, beta=1, transB=1](%x, %weight), uses = [%0.i0];
//     return (%output);
//   }
//
// `remarks` adds comments that explain it.
std::string dump_0_3(const Block& graph, bool remarks);

std::string attributes_text(const Node& node);  // "[alpha=1., transB=1]"; empty if there are none
std::string scalar_name(DType dtype);           // "Float"

std::string float_text(float value);      // "1.", "0.10000000000000001"
std::string old_float_text(float value);  // "1", "0.1"
std::string string_text(std::string_view value);

template <class T, class Text>
std::string list_text(const std::vector<T>& values, Text text) {
  std::string out;
  for (const T& value : values) out += (out.empty() ? "" : ", ") + text(value);
  return "[" + out + "]";
}

inline constexpr std::int64_t kMostElements = 10;  // of a tensor that is printed
// A tensor's contents, at most kMostElements: " 1  2 [ CPULongType{2} ]", or {1} if there is but one.
std::string tensor_text(const std::string& scalar, std::span<const std::int64_t> shape,
                        std::span<const double> elements);
std::string scalar_text(std::int64_t element);  // "{1}"
std::string scalar_text(double element);        // "{0.5}"

}  // namespace cameo::onnx::torch_text
