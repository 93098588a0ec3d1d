#include "runtime/empty_sequence.h"

#include <string>

#include "onnx/facts/facts.h"
#include "onnx/proto/encode.h"

namespace cameo::runtime {
namespace {

namespace proto = onnx::proto;

constexpr const char* kOutput = "empty";

proto::Type sequence_type(ElementType element) {
  proto::Type type;
  type.kind = proto::Type::Kind::sequence;
  type.inner = std::make_unique<proto::Type>();
  type.inner->kind = proto::Type::Kind::tensor;
  type.inner->element = static_cast<std::int32_t>(element);
  return type;
}

proto::Node sequence_empty_node(ElementType element) {
  proto::Node node;
  node.op_type = "SequenceEmpty";
  node.outputs = {kOutput};
  proto::Attribute& dtype = node.attributes.emplace_back();
  dtype.name = "dtype";
  dtype.type = static_cast<std::int32_t>(onnx::facts::Kind::integer);
  dtype.i = static_cast<std::int64_t>(element);
  return node;
}

std::string sequence_empty_model(ElementType element) {
  proto::Model model;
  model.ir_version = 6;
  model.opset_imports.emplace_back().version = 11;
  proto::Graph& graph = model.graph.emplace();
  graph.name = kOutput;
  graph.nodes.push_back(sequence_empty_node(element));
  proto::ValueInfo& output = graph.outputs.emplace_back();
  output.name = kOutput;
  output.type = sequence_type(element);
  return encode(model);
}

}  // namespace

// The C ABI has no function that makes an empty sequence, so a model of one node makes it.
ort::Owned<ort::Value> make_empty_sequence(const Library& library, ElementType element) {
  const ort::Api& api = library.api();
  const std::string model = sequence_empty_model(element);
  const auto options = api.make<ort::SessionOptions>(ort::kCreateSessionOptions);
  api(ort::kSetIntraOpThreads, options.get(), 1);
  const auto session = api.make<ort::Session>(ort::kCreateSessionFromArray, library.env(), model.data(),
                                              model.size(), options.get());
  ort::Value* value = nullptr;
  api(ort::kRun, session.get(), nullptr, nullptr, nullptr, 0, &kOutput, 1, &value);
  return api.own(value);
}

}  // namespace cameo::runtime
