#pragma once
// Tiny ONNX models for tests, written field by field.
#include <cstdint>
#include <initializer_list>
#include <protozero/pbf_writer.hpp>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cameo/array.h"
#include "cameo/opset.h"

namespace cameo::runtime::testing {

// A serialized message.
struct Message {
  std::string bytes;
  protozero::pbf_writer writer() { return protozero::pbf_writer(bytes); }
};

using Dim = std::variant<int, const char*>;  // nullptr: unknown

inline Message tensor_type(ElementType type, const std::vector<Dim>& dims) {
  Message shape;
  for (const Dim& dim : dims) {
    Message field;
    if (const int* size = std::get_if<int>(&dim)) {
      field.writer().add_int64(1, *size);
    } else if (const char* name = std::get<const char*>(dim)) {
      field.writer().add_string(2, name);
    }
    shape.writer().add_message(1, field.bytes);
  }
  Message tensor;
  tensor.writer().add_int32(1, static_cast<int>(type));
  tensor.writer().add_message(2, shape.bytes);
  Message result;
  result.writer().add_message(1, tensor.bytes);
  return result;
}

inline Message unranked_type(ElementType type) {
  Message tensor;
  tensor.writer().add_int32(1, static_cast<int>(type));
  Message result;
  result.writer().add_message(1, tensor.bytes);
  return result;
}

inline Message wrapped_type(protozero::pbf_tag_type kind, const Message& content) {
  Message inner;
  inner.writer().add_message(1, content.bytes);
  Message result;
  result.writer().add_message(kind, inner.bytes);
  return result;
}
inline Message sequence_type(const Message& element) { return wrapped_type(4, element); }
inline Message map_type(ElementType key, const Message& values) {
  Message inner;
  inner.writer().add_int32(1, static_cast<int>(key));
  inner.writer().add_message(2, values.bytes);
  Message result;
  result.writer().add_message(5, inner.bytes);
  return result;
}
inline Message optional_type(const Message& content) { return wrapped_type(9, content); }

inline Message attribute(std::string_view name, std::int64_t value) {
  Message result;
  result.writer().add_string(1, std::string(name));
  result.writer().add_int64(3, value);
  result.writer().add_int32(20, 2);
  return result;
}
inline Message attribute(std::string_view name, const Message& graph) {
  Message result;
  result.writer().add_string(1, std::string(name));
  result.writer().add_message(6, graph.bytes);
  result.writer().add_int32(20, 5);
  return result;
}
inline Message attribute(std::string_view name, const std::vector<std::string>& texts) {
  Message result;
  result.writer().add_string(1, std::string(name));
  for (const std::string& text : texts) result.writer().add_bytes(9, text);
  result.writer().add_int32(20, 8);
  return result;
}
inline Message type_attribute(std::string_view name, const Message& type) {
  Message result;
  result.writer().add_string(1, std::string(name));
  result.writer().add_message(14, type.bytes);
  result.writer().add_int32(20, 13);
  return result;
}

struct Node {
  std::string op;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<Message> attributes = {};
  std::string domain = {};
};

struct NamedType {
  std::string name;
  Message type;
};

struct NamedArray {
  std::string name;
  Array array;
};

struct Graph {
  std::vector<NamedType> inputs;
  std::vector<NamedType> outputs;
  std::vector<Node> nodes;
  std::vector<NamedArray> initializers = {};
};

inline Message serialize(const Node& node) {
  Message result;
  for (const std::string& input : node.inputs) result.writer().add_string(1, input);
  for (const std::string& output : node.outputs) result.writer().add_string(2, output);
  result.writer().add_string(4, node.op);
  for (const Message& each : node.attributes) result.writer().add_message(5, each.bytes);
  if (!node.domain.empty()) result.writer().add_string(7, node.domain);
  return result;
}

inline Message serialize(const NamedArray& initializer) {
  Message result;
  for (const std::int64_t size : initializer.array.shape()) result.writer().add_int64(1, size);
  result.writer().add_int32(2, static_cast<int>(initializer.array.type()));
  result.writer().add_string(8, initializer.name);
  const auto bytes = initializer.array.bytes();
  result.writer().add_bytes(9, reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return result;
}

inline Message serialize(const NamedType& value) {
  Message result;
  result.writer().add_string(1, value.name);
  result.writer().add_message(2, value.type.bytes);
  return result;
}

inline Message serialize(const Graph& graph) {
  Message result;
  for (const Node& node : graph.nodes) result.writer().add_message(1, serialize(node).bytes);
  result.writer().add_string(2, "test");
  for (const auto& each : graph.initializers) result.writer().add_message(5, serialize(each).bytes);
  for (const auto& each : graph.inputs) result.writer().add_message(11, serialize(each).bytes);
  for (const auto& each : graph.outputs) result.writer().add_message(12, serialize(each).bytes);
  return result;
}

inline std::string model(const Graph& graph, int opset = kDefaultOpset) {
  Message imports, classic;
  imports.writer().add_string(1, "");
  imports.writer().add_int64(2, opset);
  classic.writer().add_string(1, "ai.onnx.ml");
  classic.writer().add_int64(2, 3);
  Message result;
  result.writer().add_int64(1, 8);
  result.writer().add_message(7, serialize(graph).bytes);
  result.writer().add_message(8, imports.bytes);
  result.writer().add_message(8, classic.bytes);
  return result.bytes;
}

}  // namespace cameo::runtime::testing
