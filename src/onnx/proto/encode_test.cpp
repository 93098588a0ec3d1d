#include "onnx/proto/encode.h"

#include <gmock/gmock.h>

#include "base/overload.h"
#include "onnx/proto/read.h"

namespace cameo::onnx::proto {
namespace {

using ::testing::ElementsAre;

Bytes bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string in_one_piece(const Encoded& encoded) {
  std::string text;
  const auto add = [&text](Bytes bytes) {
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  encoded.each(Overload{add, [&add](const Data& elements) { elements.copy_to(add); }});
  return text;
}

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
  encoded.each(Overload{[&](Bytes piece) {
                          viewed = viewed || piece.data() == bytes_of(data).data();
                          size += piece.size();
                        },
                        [](const Data&) { FAIL() << "no tensor was made here"; }});
  EXPECT_TRUE(viewed);
  EXPECT_EQ(size, encoded.size());
}

TEST(EncodeOnnx, ExternalDataMoves) {
  Model model;
  Tensor& tensor = model.graph.emplace().initializers.emplace_back();
  tensor.data_location = 1;
  tensor.external_data.emplace_back().key = "location";
  const auto move = [](const Tensor&) { return ExternalEntries{{"location", "there"}, {"offset", "8"}}; };
  const std::string bytes = in_one_piece(encode(model, move));
  const Model again = read(bytes_of(bytes), "again");
  const std::vector<Entry>& entries = again.graph->initializers.at(0).external_data;
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].value, "there");
  EXPECT_EQ(entries[1].key, "offset");
}

TEST(EncodeOnnx, ElementsAreReadWhileTheyAreWritten) {
  int reads = 0;
  Model model;
  Tensor& tensor = model.graph.emplace().initializers.emplace_back();
  tensor.name = "t";
  tensor.elements =
      std::make_shared<Data>(DType::u8, std::vector<std::int64_t>{2}, [&reads](const Sink& sink) {
        ++reads;
        sink(bytes_of("ab"));
      });
  const Encoded encoded = encode(model, {});
  EXPECT_EQ(reads, 0);
  const std::string bytes = in_one_piece(encoded);
  EXPECT_EQ(reads, 1);
  EXPECT_EQ(bytes.size(), encoded.size());
  EXPECT_EQ(encode(model), bytes);
  const Model again = read(bytes_of(bytes), "again");
  const Bytes raw = again.graph->initializers.at(0).raw_data.value();
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(raw.data()), raw.size()), "ab");
}

TEST(EncodeOnnx, ElementsMove) {
  Model model;
  Tensor& tensor = model.graph.emplace().initializers.emplace_back();
  tensor.elements = std::make_shared<Data>(DType::u8, std::vector<std::int64_t>{2},
                                           [](const Sink&) { FAIL() << "the elements are elsewhere"; });
  const auto move = [](const Tensor&) { return external_entries("there", 8, 2); };
  const std::string bytes = in_one_piece(encode(model, move));
  const Model again = read(bytes_of(bytes), "again");
  const Tensor& moved = again.graph->initializers.at(0);
  EXPECT_TRUE(moved.external());
  EXPECT_FALSE(moved.raw_data);
  EXPECT_EQ(external_place(moved).location, "there");
  EXPECT_EQ(external_place(moved).offset, 8U);
  EXPECT_EQ(external_place(moved).length, 2U);
}

// Neither the message nor anything around it has other bytes.
TEST(EncodeOnnx, ALongUnknownFieldStaysInItsMessage) {
  const std::string field = "\xfa\x3e\x88\x27" + std::string(5000, 'x');  // number 1007
  Model model;
  model.graph.emplace().nodes.emplace_back().unknown = {bytes_of(field)};
  const std::string bytes = encode(model);
  const Model again = read(bytes_of(bytes), "again");
  ASSERT_EQ(again.graph->nodes.at(0).unknown.size(), 1U);
  EXPECT_EQ(again.graph->nodes[0].unknown[0].size(), field.size());
}

}  // namespace
}  // namespace cameo::onnx::proto
