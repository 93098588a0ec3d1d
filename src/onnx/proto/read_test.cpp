#include "onnx/proto/read.h"

#include <gmock/gmock.h>

#include <protozero/pbf_writer.hpp>

#include "cameo/format.h"

namespace cameo::onnx::proto {
namespace {

using protozero::pbf_writer;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The bytes of a message that `fill` writes.
template <class Fill>
std::string message(Fill fill) {
  std::string bytes;
  pbf_writer out(bytes);
  fill(out);
  return bytes;
}

// The result points into `bytes`.
Model read_text(const std::string& bytes) { return read(std::as_bytes(std::span(bytes)), "model.onnx"); }

std::string complaint(const std::string& bytes) try {
  read_text(bytes);
  return "nothing";
} catch (const Error& error) {
  return format(error.diagnostics());
}

// A model of one node with one attribute.
std::string with_attribute(const std::string& attribute) {
  return message([&](pbf_writer& model) {
    pbf_writer graph(model, 7);
    pbf_writer node(graph, 1);
    node.add_message(5, attribute);
  });
}

std::string with_initializer(const std::string& tensor) {
  return message([&](pbf_writer& model) {
    pbf_writer graph(model, 7);
    graph.add_message(5, tensor);
  });
}

TEST(ReadOnnx, Model) {
  const std::string bytes = message([](pbf_writer& out) {
    out.add_int64(1, 8);
    out.add_string(2, "someone");
    out.add_string(6, "");
    for (const int version : {17, 3}) {
      pbf_writer import(out, 8);
      import.add_string(1, version == 3 ? "ai.onnx.ml" : "");
      import.add_int64(2, version);
    }
    pbf_writer entry(out, 14);
    entry.add_string(1, "key");
    entry.add_string(2, "value");
  });
  const Model model = read_text(bytes);
  EXPECT_EQ(model.ir_version, 8);
  EXPECT_EQ(model.producer_name, "someone");
  EXPECT_FALSE(present(model.producer_version));
  EXPECT_TRUE(present(model.doc_string));
  EXPECT_FALSE(model.graph);
  ASSERT_EQ(model.opset_imports.size(), 2U);
  EXPECT_EQ(model.opset_imports[1].domain, "ai.onnx.ml");
  EXPECT_EQ(model.opset_imports[1].version, 3);
  EXPECT_EQ(model.metadata.at(0).value, "value");
  EXPECT_GE(model.producer_name.data(), bytes.data());
  EXPECT_LE(model.producer_name.data(), bytes.data() + bytes.size());
}

TEST(ReadOnnx, UnknownFieldsAreKept) {
  const std::string unknown = message([](pbf_writer& out) {
    out.add_int64(99, 5);
    out.add_string(1, "not a number");  // ir_version is one
  });
  const std::string bytes = "\x08\x08" + unknown;
  const Model model = read_text(bytes);
  EXPECT_EQ(model.ir_version, 8);
  std::string kept;
  for (const Bytes field : model.unknown)
    kept.append(reinterpret_cast<const char*>(field.data()), field.size());
  EXPECT_EQ(model.unknown.size(), 2U);
  EXPECT_EQ(kept, unknown);
}

TEST(ReadOnnx, ListsArePackedOrNot) {
  const std::vector<std::int64_t> ints = {1, -2, 300};
  const std::vector<float> floats = {0.5F, -1.0F};
  for (const bool packed : {false, true}) {
    const std::string bytes = with_attribute(message([&](pbf_writer& out) {
      out.add_string(1, "a");
      if (packed) {
        out.add_packed_int64(8, ints.begin(), ints.end());
        out.add_packed_float(7, floats.begin(), floats.end());
      } else {
        for (const std::int64_t number : ints) out.add_int64(8, number);
        for (const float number : floats) out.add_float(7, number);
      }
    }));
    const Model model = read_text(bytes);
    const Attribute& attribute = model.graph->nodes.at(0).attributes.at(0);
    EXPECT_EQ(attribute.ints, ints);
    EXPECT_EQ(attribute.floats, floats);
  }
}

TEST(ReadOnnx, Tensor) {
  const std::vector<std::int32_t> numbers = {1, 300, -1};
  const std::string bytes = with_initializer(message([&](pbf_writer& out) {
    out.add_int64(1, 3);
    out.add_int32(2, kInt32);
    out.add_packed_int32(5, numbers.begin(), numbers.end());
    out.add_int32(5, 7);
    out.add_string(8, "w");
    out.add_bytes(9, "raw");
    out.add_int32(14, 1);
    pbf_writer entry(out, 13);
    entry.add_string(1, "location");
    entry.add_string(2, "w.bin");
  }));
  const Model model = read_text(bytes);
  const Tensor& tensor = model.graph->initializers.at(0);
  EXPECT_THAT(tensor.dims, ElementsAre(3));
  EXPECT_EQ(tensor.data_type, kInt32);
  EXPECT_EQ(tensor.int32_data.count, 4U);
  EXPECT_EQ(tensor.int32_data.pieces.size(), 2U);
  EXPECT_EQ(tensor.float_data.count, 0U);
  EXPECT_EQ(tensor.raw_data->size(), 3U);
  EXPECT_TRUE(tensor.external());
  EXPECT_EQ(tensor.external_data.at(0).value, "w.bin");
  EXPECT_THAT(tensor.unknown, IsEmpty());
}

TEST(ReadOnnx, Types) {
  const std::string bytes = message([](pbf_writer& model) {
    pbf_writer graph(model, 7);
    pbf_writer input(graph, 11);
    input.add_string(1, "x");
    pbf_writer type(input, 2);
    pbf_writer optional(type, 9);
    pbf_writer sequence_type(optional, 1);
    pbf_writer sequence(sequence_type, 4);
    pbf_writer tensor_type(sequence, 1);
    pbf_writer tensor(tensor_type, 1);
    tensor.add_int32(1, kFloat16);
    pbf_writer shape(tensor, 2);
    {
      pbf_writer dim(shape, 1);
      dim.add_int64(1, 4);
    }
    pbf_writer dim(shape, 1);
    dim.add_string(2, "batch");
  });
  const Model model = read_text(bytes);
  const Type& type = *model.graph->inputs.at(0).type;
  EXPECT_EQ(type.kind, Type::Kind::optional);
  EXPECT_EQ(type.inner->kind, Type::Kind::sequence);
  const Type& tensor = *type.inner->inner;
  EXPECT_EQ(tensor.element, kFloat16);
  ASSERT_EQ(tensor.shape->dims.size(), 2U);
  EXPECT_EQ(tensor.shape->dims[0].value, 4);
  EXPECT_EQ(tensor.shape->dims[1].parameter, "batch");
}

TEST(ReadOnnx, AMapHasKeysAndValues) {
  const std::string bytes = message([](pbf_writer& model) {
    pbf_writer graph(model, 7);
    pbf_writer output(graph, 12);
    pbf_writer type(output, 2);
    pbf_writer map(type, 5);
    map.add_int32(1, kString);
    pbf_writer values(map, 2);
    pbf_writer tensor(values, 1);
    tensor.add_int32(1, kFloat);
  });
  const Model model = read_text(bytes);
  const Type& type = *model.graph->outputs.at(0).type;
  EXPECT_EQ(type.kind, Type::Kind::map);
  EXPECT_EQ(type.element, kString);
  EXPECT_EQ(type.inner->element, kFloat);
  EXPECT_FALSE(type.inner->shape);
}

TEST(ReadOnnx, DamagedFiles) {
  const std::string good = with_initializer(message([](pbf_writer& out) { out.add_string(8, "weight"); }));
  EXPECT_EQ(complaint(good), "nothing");
  EXPECT_EQ(complaint(good.substr(0, good.size() - 1)),
            "model.onnx: error: [read] this is not an ONNX file, or it is damaged: ModelProto (end of buffer "
            "exception) "
            "[not-onnx]\n  at byte 0\n  hint: was it cut off while it was copied?\n");
  std::string inner = good;
  inner[5] = 60;  // the length of the name
  EXPECT_EQ(
      complaint(inner),
      "model.onnx: error: [read] this is not an ONNX file, or it is damaged: TensorProto (end of buffer "
      "exception) "
      "[not-onnx]\n  at byte 4\n  hint: was it cut off while it was copied?\n");
  const std::string cut = with_initializer(message([](pbf_writer& out) { out.add_bytes(4, "12345"); }));
  EXPECT_EQ(
      complaint(cut),
      "model.onnx: error: [read] this is not an ONNX file, or it is damaged: TensorProto (invalid length "
      "exception) "
      "[not-onnx]\n  at byte 4\n  hint: was it cut off while it was copied?\n");
}

TEST(ReadOnnx, NestingIsBounded) {
  const auto nested = [](int depth) {
    std::string type;
    for (int i = 0; i < depth; ++i)
      type = message([&](pbf_writer& out) {
        out.add_message(4, message([&](pbf_writer& sequence) { sequence.add_message(1, type); }));
      });
    return message([&](pbf_writer& model) {
      pbf_writer graph(model, 7);
      pbf_writer input(graph, 11);
      input.add_message(2, type);
    });
  };
  EXPECT_EQ(complaint(nested(40)), "nothing");
  EXPECT_EQ(
      complaint(nested(60)),
      "model.onnx: error: [read] messages are nested more than 100 deep [nested-too-deeply]\n  at byte 259\n"
      "  hint: protobuf, and with it every other reader of ONNX, takes no deeper nesting\n");
}

}  // namespace
}  // namespace cameo::onnx::proto
