#include "runtime/empty_sequence.h"

#include <protozero/pbf_writer.hpp>
#include <string>

namespace cameo::runtime {
namespace {

using protozero::pbf_writer;

constexpr const char* kOutput = "empty";

std::string sequence_type(ElementType element) {
  std::string tensor;
  pbf_writer(tensor).add_int32(1, static_cast<std::int32_t>(element));
  std::string element_type;
  pbf_writer(element_type).add_message(1, tensor);
  std::string sequence;
  pbf_writer(sequence).add_message(1, element_type);
  std::string type;
  pbf_writer(type).add_message(4, sequence);
  return type;
}

std::string sequence_empty_node(ElementType element) {
  std::string dtype;
  pbf_writer(dtype).add_string(1, "dtype");
  pbf_writer(dtype).add_int64(3, static_cast<std::int64_t>(element));
  pbf_writer(dtype).add_enum(20, 2);
  std::string node;
  pbf_writer(node).add_string(2, kOutput);
  pbf_writer(node).add_string(4, "SequenceEmpty");
  pbf_writer(node).add_message(5, dtype);
  return node;
}

std::string sequence_empty_model(ElementType element) {
  std::string output;
  pbf_writer(output).add_string(1, kOutput);
  pbf_writer(output).add_message(2, sequence_type(element));
  std::string graph;
  pbf_writer(graph).add_message(1, sequence_empty_node(element));
  pbf_writer(graph).add_string(2, kOutput);
  pbf_writer(graph).add_message(12, output);
  std::string opset;
  pbf_writer(opset).add_int64(2, 11);
  std::string model;
  pbf_writer(model).add_int64(1, 6);
  pbf_writer(model).add_message(7, graph);
  pbf_writer(model).add_message(8, opset);
  return model;
}

}  // namespace

// The C ABI has no function that makes one, so a model of one node does.
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
