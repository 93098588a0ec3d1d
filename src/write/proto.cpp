#include "write/proto.h"

#include <unordered_set>

#include <fmt/format.h>
#include <protozero/pbf_writer.hpp>

#include "onnx/graph/versions.h"

namespace cameo {
namespace {

using onnx::Attribute;
using onnx::DataPtr;
using onnx::Graph;
using onnx::Node;
using onnx::Type;
using onnx::Value;
using protozero::pbf_writer;

void add_dims(pbf_writer& tensor, const std::vector<std::int64_t>& shape) {
  for (std::int64_t dim : shape) tensor.add_int64(1, dim);
}

void add_tensor_type(pbf_writer& type, const Type& value) {
  pbf_writer tensor(type, 1);
  tensor.add_int32(1, onnx::to_onnx(value.dtype));
  if (!value.shape) return;
  if (value.shape->empty())
    return tensor.add_message(2, std::string());  // a submessage without fields would be left out
  pbf_writer shape(tensor, 2);
  for (const onnx::Dim& dim : *value.shape) {
    pbf_writer written(shape, 1);
    if (const auto number = onnx::known(dim))
      written.add_int64(1, *number);
    else
      written.add_string(2, sym::to_string(dim));
  }
}

void add_type(pbf_writer& type, const Type& value) {
  if (value.kind == Type::Kind::tensor) return add_tensor_type(type, value);
  pbf_writer outer(type, value.kind == Type::Kind::sequence ? 4 : 9);
  pbf_writer element(outer, 1);
  Type inner = value;
  inner.kind = value.kind == Type::Kind::optional_sequence ? Type::Kind::sequence : Type::Kind::tensor;
  add_type(element, inner);
}

void add_value_info(pbf_writer& graph, std::uint32_t field, const Value& value) {
  pbf_writer info(graph, field);
  info.add_string(1, value.name);
  if (value.type.kind == Type::Kind::unknown) return info.add_message(2, std::string());
  pbf_writer type(info, 2);
  add_type(type, value.type);
}

void add_initializer_info(pbf_writer& graph, const Initializer& initializer) {
  Value value;
  value.name = initializer.name;
  value.type = Type{Type::Kind::tensor, initializer.data->dtype(), onnx::Shape{}};
  for (std::int64_t dim : initializer.data->shape()) value.type.shape->emplace_back(dim);
  add_value_info(graph, 11, value);
}

enum AttributeKind {
  kFloat = 1,
  kInt = 2,
  kString = 3,
  kTensor = 4,
  kGraph = 5,
  kFloats = 6,
  kInts = 7,
  kStrings = 8,
  kGraphs = 10
};

struct AddAttribute {
  pbf_writer& out;
  const WriteOptions& options;

  void operator()(float number) { out.add_float(2, number), kind(kFloat); }
  void operator()(std::int64_t number) { out.add_int64(3, number), kind(kInt); }
  void operator()(const std::string& text) { out.add_bytes(4, text), kind(kString); }
  void operator()(const DataPtr& data) {
    {
      pbf_writer tensor(out, 5);
      add_dims(tensor, data->shape());
      tensor.add_int32(2, onnx::to_onnx(data->dtype()));
      const Bytes bytes = data->bytes();
      tensor.add_bytes(field::kTensorRawData, reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    kind(kTensor);
  }
  void operator()(const Graph* graph) { out.add_message(6, encode_graph(*graph, options)), kind(kGraph); }
  void operator()(const std::vector<float>& numbers) {
    for (float number : numbers) out.add_float(7, number);
    kind(kFloats);
  }
  void operator()(const std::vector<std::int64_t>& numbers) {
    for (std::int64_t number : numbers) out.add_int64(8, number);
    kind(kInts);
  }
  void operator()(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) out.add_bytes(9, text);
    kind(kStrings);
  }
  void operator()(const std::vector<Graph*>& graphs) {
    for (const Graph* graph : graphs) out.add_message(11, encode_graph(*graph, options));
    kind(kGraphs);
  }
  void kind(AttributeKind number) { out.add_enum(20, number); }
};

std::string describe(const onnx::Origin& origin) {
  std::string text = origin.op;
  const std::vector<Position> python = origin.places().python;
  for (const Position& place : python)
    text += fmt::format("\n{}:{}{}{}", place.file, place.line, place.function.empty() ? "" : " in ",
                        place.function);
  return text;
}

void add_metadata(pbf_writer& node, const onnx::Origin& origin) {
  auto add = [&node](const char* key, const std::string& value) {
    if (value.empty()) return;
    pbf_writer entry(node, 9);
    entry.add_string(1, key);
    entry.add_string(2, value);
  };
  add("operator", origin.op);
  add("module", origin.module_path);
  const std::vector<Position> python = origin.places().python;
  if (!python.empty()) add("python", fmt::format("{}:{}", python[0].file, python[0].line));
}

void add_node(pbf_writer& graph, const Node& node, const WriteOptions& options) {
  pbf_writer out(graph, 1);
  std::size_t inputs = node.inputs.size();
  while (inputs > 0 && node.inputs[inputs - 1] == nullptr) --inputs;
  for (std::size_t i = 0; i < inputs; ++i)
    out.add_string(1, node.inputs[i] ? node.inputs[i]->name : std::string());
  for (const Value* value : node.outputs) out.add_string(2, value ? value->name : std::string());
  out.add_string(3, node.name);
  out.add_string(4, node.op);
  for (const Attribute& attribute : node.attributes) {
    pbf_writer written(out, 5);
    written.add_string(1, attribute.name);
    std::visit(AddAttribute{written, options}, attribute.value);
  }
  if (options.doc_strings && node.origin) out.add_string(6, describe(*node.origin));
  if (!node.domain.empty()) out.add_string(7, node.domain);
  if (options.metadata && node.origin) add_metadata(out, *node.origin);
}

class Collect {
 public:
  void graph(const Graph& graph) {
    for (const Node* node : graph.nodes) {
      for (const Value* input : node->inputs) add(input);
      for (const Attribute& attribute : node->attributes)
        for (const Graph* inner : onnx::subgraphs(attribute.value)) this->graph(*inner);
    }
    for (const Value* output : graph.outputs) add(output);
  }
  std::vector<Initializer> take() { return std::move(found_); }

 private:
  void add(const Value* value) {
    if (value && value->constant() && seen_.insert(value).second)
      found_.push_back({value->name, value->data});
  }
  std::unordered_set<const Value*> seen_;
  std::vector<Initializer> found_;
};

}  // namespace

std::vector<Initializer> initializers(const Graph& graph) {
  Collect collect;
  collect.graph(graph);
  return collect.take();
}

std::string encode_model_head(const onnx::Model& model) {
  std::string bytes;
  pbf_writer out(bytes);
  out.add_int64(1, onnx::ir_version(model.opset));
  out.add_string(2, "cameo");
  if (!model.producer_version.empty()) out.add_string(3, model.producer_version);
  auto add_opset = [&out](const std::string& domain, int version) {
    pbf_writer opset(out, 8);
    opset.add_string(1, domain);
    opset.add_int64(2, version);
  };
  add_opset("", model.opset);
  for (const auto& [domain, version] : model.custom_opsets) add_opset(domain, version);
  for (const auto& [key, value] : model.metadata) {
    pbf_writer entry(out, 14);
    entry.add_string(1, key);
    entry.add_string(2, value);
  }
  return bytes;
}

std::string encode_graph(const Graph& graph, const WriteOptions& options) {
  std::string bytes;
  pbf_writer out(bytes);
  for (const Node* node : graph.nodes) add_node(out, *node, options);
  out.add_string(2, graph.name);
  for (const Value* input : graph.inputs) add_value_info(out, 11, *input);
  if (options.initializers_as_inputs && !graph.parent)
    for (const Initializer& initializer : initializers(graph)) add_initializer_info(out, initializer);
  for (const Value* output : graph.outputs) add_value_info(out, 12, *output);
  if (options.value_info) {
    const std::unordered_set<const Value*> outputs(graph.outputs.begin(), graph.outputs.end());
    for (const Node* node : graph.nodes)
      for (const Value* value : node->outputs)
        if (value && !outputs.contains(value)) add_value_info(out, 13, *value);
  }
  return bytes;
}

std::string encode_tensor_head(const Initializer& initializer) {
  std::string bytes;
  pbf_writer tensor(bytes);
  add_dims(tensor, initializer.data->shape());
  tensor.add_int32(2, onnx::to_onnx(initializer.data->dtype()));
  tensor.add_string(8, initializer.name);
  return bytes;
}

std::string encode_without_weights(const onnx::Model& model, const WriteOptions& options) {
  std::string graph = encode_graph(model.main(), options);
  for (const Initializer& initializer : initializers(model.main())) {
    const std::string tensor = encode_tensor_head(initializer);
    graph += field_head(field::kGraphInitializer, tensor.size()) + tensor;
  }
  return encode_model_head(model) + field_head(field::kModelGraph, graph.size()) + graph;
}

std::string encode_external(const External& place) {
  std::string bytes;
  pbf_writer tensor(bytes);
  auto add_entry = [&tensor](const char* key, const std::string& value) {
    pbf_writer entry(tensor, 13);
    entry.add_string(1, key);
    entry.add_string(2, value);
  };
  add_entry("location", place.file);
  add_entry("offset", std::to_string(place.offset));
  add_entry("length", std::to_string(place.length));
  tensor.add_enum(14, 1);
  return bytes;
}

std::string field_head(std::uint32_t field, std::uint64_t length) {
  std::string bytes;
  protozero::add_varint_to_buffer(&bytes, (std::uint64_t{field} << 3) | 2);
  protozero::add_varint_to_buffer(&bytes, length);
  return bytes;
}

}  // namespace cameo
