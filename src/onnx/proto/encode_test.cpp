#include "onnx/proto/encode.h"

#include <gmock/gmock.h>

#include "onnx/proto/read.h"

namespace cameo::onnx::proto {
namespace {

using ::testing::ElementsAre;

Bytes bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

TEST(EncodeOnnx, WhatWasMadeHereIsReadAgain) {
  const std::string name = "made", data(10000, 'x');
  Model model;
  model.ir_version = 9;
  Graph& graph = model.graph.emplace();
  Node& node = graph.nodes.emplace_back();
  node.op_type = "Relu";
  node.inputs = {"x", Text()};
  node.outputs = {name};
  node.attributes.emplace_back().ints = {1, -1};
  Tensor& tensor = graph.initializers.emplace_back();
  tensor.name = name;
  tensor.raw_data = bytes_of(data);
  Type& type = graph.outputs.emplace_back().type.emplace();
  type.kind = Type::Kind::sequence;
  type.inner = std::make_unique<Type>();
  type.inner->kind = Type::Kind::tensor;
  type.inner->shape.emplace();

  const std::string bytes = encode(model);
  const Model again = read(bytes_of(bytes), "again");
  ASSERT_TRUE(again.graph);
  EXPECT_EQ(again.ir_version, 9);
  EXPECT_THAT(again.graph->nodes.at(0).inputs, ElementsAre("x", ""));
  EXPECT_THAT(again.graph->nodes.at(0).outputs, ElementsAre("made"));
  EXPECT_THAT(again.graph->nodes.at(0).attributes.at(0).ints, ElementsAre(1, -1));
  EXPECT_EQ(again.graph->initializers.at(0).raw_data->size(), data.size());
  const Type& read_type = *again.graph->outputs.at(0).type;
  EXPECT_EQ(read_type.inner->kind, Type::Kind::tensor);
  EXPECT_TRUE(read_type.inner->shape);
  EXPECT_EQ(encode(again), bytes);
}

TEST(EncodeOnnx, LongBytesStayWhereTheyAre) {
  const std::string data(1 << 20, 'x');
  Model model;
  model.graph.emplace().initializers.emplace_back().raw_data = bytes_of(data);
  const Encoded encoded = encode(model, {});
  bool viewed = false;
  std::uint64_t size = 0;
  encoded.each([&](Bytes piece) {
    viewed = viewed || piece.data() == bytes_of(data).data();
    size += piece.size();
  });
  EXPECT_TRUE(viewed);
  EXPECT_EQ(size, encoded.size());
}

TEST(EncodeOnnx, ExternalDataMoves) {
  Model model;
  Tensor& tensor = model.graph.emplace().initializers.emplace_back();
  tensor.data_location = 1;
  tensor.external_data.emplace_back().key = "location";
  const auto move = [](const Tensor&) { return ExternalEntries{{"location", "there"}, {"offset", "8"}}; };
  std::string bytes;
  encode(model, move).each([&bytes](Bytes piece) {
    bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  const Model again = read(bytes_of(bytes), "again");
  const std::vector<Entry>& entries = again.graph->initializers.at(0).external_data;
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].value, "there");
  EXPECT_EQ(entries[1].key, "offset");
}

}  // namespace
}  // namespace cameo::onnx::proto
