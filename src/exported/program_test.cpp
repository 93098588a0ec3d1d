#include "exported/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "exported/testing.h"

namespace cameo::exported {
namespace {

using archive::testing::ZipBuilder;
using ::testing::ElementsAre;
using testing::error_of;
using testing::meta;
using testing::ProgramText;
namespace op = archive::testing::op;

std::string floats(std::initializer_list<float> values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), std::data(values), bytes.size());
  return bytes;
}

std::vector<float> elements(const archive::TensorPtr& tensor) {
  const std::vector<std::byte> bytes = tensor->to_vector();
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// The bytes that torch.save writes.
std::string saved(const std::string& body, const std::string& storage = floats({1, 2, 3, 4, 5, 6})) {
  return ZipBuilder("archive")
      .add("data.pkl", op::pickle(body))
      .add("data/0", storage)
      .add("version", "3\n")
      .build();
}

std::string tensor(std::int64_t offset, const std::vector<std::int64_t>& shape,
                   const std::vector<std::int64_t>& strides) {
  return op::tensor(op::storage("FloatStorage", "0", 6), offset, shape, strides);
}

std::string weights() { return saved(op::dict({{"w", tensor(1, {2}, {1})}})); }

// PyTorch 2.1 to 2.7: no root folder.
ZipBuilder layout_a(const ProgramText& text = {}) {
  ZipBuilder zip("");
  zip.padded = zip.zip64_end = false;
  zip.add("serialized_exported_program.json", text.text()).add("version", "8.7");
  return zip;
}

// PyTorch 2.8: the weights are one archive.
ZipBuilder layout_b(const ProgramText& text = {}) {
  ZipBuilder zip;
  zip.add("models/model.json", text.text()).add("archive_format", "pt2").add("archive_version", "0\n");
  return zip;
}

struct Payload {
  std::string name, path, meta;
  bool pickled = false;
};

std::string config(const std::vector<Payload>& payloads) {
  std::string text;
  for (const Payload& payload : payloads) {
    text +=
        fmt::format(R"({}"{}": {{"path_name": "{}", "is_param": true, "use_pickle": {}, "tensor_meta": {}}})",
                    text.empty() ? "" : ", ", payload.name, payload.path, payload.pickled, payload.meta);
  }
  return fmt::format(R"({{"config": {{{}}}}})", text);
}

// PyTorch 2.9 and later: one record for each storage.
ZipBuilder layout_c(const std::vector<Payload>& payloads, const ProgramText& text = {}) {
  ZipBuilder zip = layout_b(text);
  zip.add("data/weights/model_weights_config.json", config(payloads)).add("byteorder", "little");
  return zip;
}

std::string matrix(int rows, int columns, int row_stride, int column_stride, int offset = 0, int dtype = 7) {
  return meta(fmt::format(R"([{{"as_int": {}}}, {{"as_int": {}}}])", rows, columns),
              fmt::format(R"([{{"as_int": {}}}, {{"as_int": {}}}])", row_stride, column_stride), dtype,
              offset);
}

std::string refused(ZipBuilder zip, std::string_view model = {}) {
  return error_of([&] { const Program program(zip.file("m.pt2"), model); });
}

std::string weight_fault(ZipBuilder zip, std::string_view name = "w") {
  const Program program(zip.file("m.pt2"));
  return error_of([&] { program.weight(name); });
}

// Layouts

TEST(Program, LayoutA) {
  for (const std::string ending : {"pt", "json"}) {
    ZipBuilder zip = layout_a();
    zip.add("serialized_state_dict." + ending, weights());
    zip.add("serialized_constants." + ending, "");
    zip.add("serialized_example_inputs.pt", saved(op::tuple({op::tuple({tensor(0, {2}, {1})}), "}"})));
    zip.add("extra_files/labels.txt", "cat");
    const auto file = zip.file("m.pt2");
    const Program program(file);
    EXPECT_EQ(program.record(), "serialized_exported_program.json");
    EXPECT_EQ(program.versions().schema_major, 8);
    EXPECT_EQ(program.graph().nodes.size(), 2U);
    EXPECT_THAT(program.weight_names(), ElementsAre("w"));
    EXPECT_TRUE(program.constant_names().empty());
    const archive::TensorPtr weight = program.tensor(program.signature().inputs.at(0));
    EXPECT_THAT(elements(weight), ElementsAre(2, 3));
    // The tensor lies in the outer file.
    EXPECT_EQ(weight->storage->file, file.get());
    EXPECT_EQ(std::memcmp(file->bytes().data() + *weight->storage->file_offset, floats({1, 2, 3}).data(), 12),
              0);
    ASSERT_NE(program.sample_inputs(), nullptr);
    EXPECT_EQ(program.sample_inputs()->get_if<archive::Tuple>()->items.size(), 2U);
    EXPECT_THAT(program.extra_files(), ElementsAre("labels.txt"));
    EXPECT_EQ(program.archive().text("extra_files/labels.txt"), "cat");
  }
}

TEST(Program, LayoutB) {
  ZipBuilder zip = layout_b();
  zip.add("data/weights/model.pt", weights()).add("data/constants/model.pt", "");
  zip.add("data/sample_inputs/model.pt", "").add("extra/a/b", "x");
  const Program program(zip.file("renamed.pth"));
  EXPECT_EQ(program.record(), "models/model.json");
  EXPECT_THAT(elements(program.weight("w")), ElementsAre(2, 3));
  EXPECT_EQ(program.weight("v"), nullptr);
  EXPECT_EQ(program.constant("w"), nullptr);
  EXPECT_EQ(program.sample_inputs(), nullptr);
  EXPECT_THAT(program.extra_files(), ElementsAre("a/b"));
}

TEST(Program, LayoutC) {
  ZipBuilder zip = layout_c({{"w", "weight_7", meta()}});
  zip.add("data/weights/weight_7", floats({1, 2}));
  const auto file = zip.file();
  const Program program(file);
  const archive::TensorPtr weight = program.weight("w");
  EXPECT_THAT(elements(weight), ElementsAre(1, 2));
  EXPECT_EQ(weight, program.weight("w"));
  EXPECT_EQ(weight->storage->file, file.get());
  EXPECT_EQ(weight->storage->record, "model/data/weights/weight_7");
  EXPECT_EQ(weight->storage->location, "cpu");
}

TEST(Program, OtherNamesOfTheConfiguration) {
  ZipBuilder zip = layout_b();
  zip.add("data/weights/model_model_param_config.json", config({{"w", "weight_0", meta()}}));
  zip.add("data/weights/weight_0", floats({1, 2}));
  zip.add("data/constants/model_model_constants_config.json", config({{"c", "tensor_0", meta()}}));
  zip.add("data/constants/tensor_0", floats({3, 4}));
  const Program program(zip.file());
  EXPECT_THAT(elements(program.weight("w")), ElementsAre(1, 2));
  EXPECT_THAT(elements(program.constant("c")), ElementsAre(3, 4));
}

TEST(Program, CompressedRecords) {
  ZipBuilder zip;
  zip.add_deflated("models/model.json", ProgramText().text()).add_deflated("archive_format", "pt2");
  zip.add_deflated("data/weights/model.pt", weights());
  const Program program(zip.file());
  const archive::TensorPtr weight = program.weight("w");
  EXPECT_THAT(elements(weight), ElementsAre(2, 3));
  EXPECT_EQ(weight->storage->file, nullptr);
  EXPECT_FALSE(weight->storage->file_offset);
}

TEST(Program, ChoosesAModel) {
  const std::string text = ProgramText().text();
  ZipBuilder one;
  one.add("archive_format", "pt2").add("models/first.json", text);
  EXPECT_EQ(Program(one.file()).record(), "models/first.json");
  one.add("models/second.json", text);
  EXPECT_EQ(refused(one), "the archive has 2 programs: first, second [several-programs]");
  EXPECT_EQ(Program(one.file(), "second").record(), "models/second.json");
  EXPECT_EQ(refused(one, "third"),
            "the archive has no program 'third', only first, second [several-programs]");
  one.add("models/model.json", text);
  EXPECT_EQ(Program(one.file()).record(), "models/model.json");
}

TEST(Program, RefusesOtherArchives) {
  EXPECT_EQ(refused(ZipBuilder().add("archive_format", "pt2")),
            "the archive has no torch.export program [not-a-program]");
  ZipBuilder newer;
  newer.add("archive_format", "pt2").add("archive_version", "1").add("models/model.json", "?");
  EXPECT_EQ(refused(newer), "the archive has format version 1; only version 0 can be read [too-new]");
}

TEST(Program, RefusesTensorRT) {
  ProgramText text;
  text.nodes = R"([{"target": "torch.ops.tensorrt.execute_engine.default", "inputs": [], "outputs": []}])";
  const std::string message =
      "this program is compiled for TensorRT: parts of it are engines without the graph they were made from "
      "[tensorrt-engine]";
  EXPECT_EQ(refused(layout_b(text)), message);
  ProgramText outer;
  outer.nodes = fmt::format(R"([{{"target": "torch.ops.higher_order.cond", "inputs": [{{"name": "", "arg":
                                {{"as_graph": {{"name": "g", "graph": {}}}}}}}]}}])",
                            text.graph());
  EXPECT_EQ(refused(layout_b(outer)), message);
}

// Weights

TEST(Program, StridedWeightsAreWholeStorages) {
  ZipBuilder zip = layout_c({{"t", "weight_0", matrix(3, 2, 1, 3)},
                             {"view", "weight_0", matrix(2, 2, 3, 1, 1)},
                             {"tied", "weight_0", matrix(3, 2, 1, 3)},
                             {"scalar", "weight_0", meta("[]", "[]", 7, 5)},
                             {"ints", "weight_0", meta(R"([{"as_int": 1}])", R"([{"as_int": 1}])", 4)}});
  zip.add("data/weights/weight_0", floats({1, 2, 3, 4, 5, 6}));
  const Program program(zip.file());
  EXPECT_THAT(elements(program.weight("t")), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(elements(program.weight("view")), ElementsAre(2, 3, 5, 6));
  EXPECT_THAT(elements(program.weight("scalar")), ElementsAre(6));
  EXPECT_EQ(program.weight("t")->storage, program.weight("view")->storage);
  EXPECT_EQ(program.weight("t")->storage, program.weight("tied")->storage);
  EXPECT_NE(program.weight("t")->storage, program.weight("ints")->storage);
  EXPECT_EQ(program.weight("ints")->dtype, DType::i32);
  EXPECT_THAT(program.weight_names(), ElementsAre("t", "view", "tied", "scalar", "ints"));
}

TEST(Program, BorrowsWeights) {
  const std::string mark = "mark", storage = floats({1, 2, 3, 4, 5, 6});
  ZipBuilder zip = layout_c({{"t", "weight_0", matrix(3, 2, 1, 3)},
                             {"view", "weight_0", matrix(2, 2, 3, 1, 1)},
                             {"small", "weight_1", meta("[]", "[]")},
                             {"outside", "weight_0", matrix(3, 2, 1, 3, 1)}});
  zip.add("data/weights/weight_0", mark).add("data/weights/weight_1", floats({7}));
  const Program program(zip.file(), {},
                        {{std::as_bytes(std::span(mark)), std::as_bytes(std::span(storage))}});
  EXPECT_THAT(elements(program.weight("t")), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(elements(program.weight("view")), ElementsAre(2, 3, 5, 6));
  EXPECT_EQ(program.weight("t")->storage->bytes.data(), std::as_bytes(std::span(storage)).data());
  EXPECT_EQ(program.weight("t")->storage->file, nullptr);
  EXPECT_THAT(elements(program.weight("small")), ElementsAre(7));
  EXPECT_THAT(error_of([&] { program.weight("outside"); }), ::testing::EndsWith("[short-storage]"));
}

TEST(Program, TiedWeightsOfAPickle) {
  ZipBuilder zip = layout_a();
  zip.add("serialized_state_dict.pt",
          saved(op::dict({{"a", tensor(0, {2, 3}, {3, 1})}, {"b", tensor(0, {3, 2}, {1, 3})}})));
  const Program program(zip.file());
  EXPECT_EQ(program.weight("a")->storage, program.weight("b")->storage);
  EXPECT_THAT(elements(program.weight("b")), ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(Program, WeightsWithoutData) {
  ZipBuilder zip =
      layout_c({{"empty", "weight_0", meta(R"([{"as_int": 0}])")}, {"fake", "weight_1", meta()}});
  zip.add("data/weights/weight_0", "").add("data/weights/weight_1", "");
  const Program program(zip.file());
  EXPECT_TRUE(elements(program.weight("empty")).empty());
  EXPECT_FALSE(program.weight("fake")->storage->has_data);
  EXPECT_THAT(program.weight("fake")->shape, ElementsAre(2));
}

TEST(Program, FakeTensorsOfAPickle) {
  const std::string encoded =
      op::global("_codecs", "encode") + op::tuple({op::str(meta()), op::str("latin1")}) + "R";
  ZipBuilder zip = layout_a();
  zip.add("serialized_state_dict.pt",
          saved(op::dict({{"w", op::global("torch._export.serde.serialize", "_reconstruct_fake_tensor") +
                                    op::tuple({encoded, "\x88"}) + "R"}})));
  const Program program(zip.file());
  EXPECT_FALSE(program.weight("w")->storage->has_data);
  EXPECT_EQ(program.weight("w")->dtype, DType::f32);
  EXPECT_THAT(program.weight("w")->shape, ElementsAre(2));
}

TEST(Program, BigEndianWeights) {
  ZipBuilder zip = layout_b();
  zip.add("data/weights/model_weights_config.json", config({{"w", "weight_0", meta()}}));
  zip.add("data/weights/weight_0", std::string("\x3f\x80\0\0\x40\0\0\0", 8)).add("byteorder", "big");
  EXPECT_THAT(elements(Program(zip.file()).weight("w")), ElementsAre(1, 2));
}

TEST(Program, WeightsOutOfBounds) {
  const auto fault = [](const std::string& tensor_meta) {
    ZipBuilder zip = layout_c({{"w", "weight_0", tensor_meta}});
    zip.add("data/weights/weight_0", floats({1, 2}));
    return weight_fault(zip);
  };
  const std::string place = "model/data/weights/weight_0: the weight 'w' cannot be read: ";
  const std::string beyond =
      place + "a tensor reaches beyond its storage 'weight_0' of 8 bytes [short-storage]";
  EXPECT_EQ(fault(meta(R"([{"as_int": 2}])", R"([{"as_int": 1}])", 7, 1)), beyond);
  EXPECT_EQ(fault(meta(R"([{"as_int": 2}])", R"([{"as_int": 2}])")), beyond);
  EXPECT_EQ(fault(meta(R"([{"as_int": 2}])", R"([{"as_int": 1}])", 8)), beyond);
  EXPECT_EQ(fault(meta(R"([{"as_int": 2}])", R"([{"as_int": 9223372036854775807}])")),
            place + "a tensor's strides reach beyond any memory [short-storage]");
  EXPECT_EQ(
      fault(meta(R"([{"as_int": 4611686018427387904}, {"as_int": 4}])", R"([{"as_int": 0}, {"as_int": 0}])")),
      place + "a tensor has more elements than any memory can hold [short-storage]");
  EXPECT_EQ(fault(meta("[]", R"([{"as_int": 1}])")),
            place + "a tensor's size and stride differ in length [short-storage]");
  EXPECT_EQ(fault(meta(R"([{"as_int": -2}])")), place + "a size is negative [bad-exported-program]");
  EXPECT_EQ(fault(meta(R"([{"as_expr": {"expr_str": "s0"}}])")),
            place + "its size is symbolic [bad-exported-program]");
}

TEST(Program, WeightsOfOtherKinds) {
  const auto fault = [](const Payload& payload, const std::string& contents = "") {
    ZipBuilder zip = layout_c({payload});
    if (!contents.empty()) zip.add("data/weights/weight_0", contents);
    return weight_fault(zip);
  };
  const std::string place = "data/weights/weight_0: the weight 'w' cannot be read: ";
  EXPECT_EQ(fault({"w", "weight_0", meta()}),
            place + "the archive has no record 'data/weights/weight_0' [missing-record]");
  EXPECT_EQ(fault({"w", "weight_0", "null"}, "x"), place + "it is a custom object [tensor-subclass]");
  EXPECT_EQ(fault({"w", "weight_0", meta(R"([{"as_int": 2}])", R"([{"as_int": 1}])", 99)}, "x"),
            place + "its element type has the unknown number 99 [bad-exported-program]");
  std::string sparse = meta();
  sparse.replace(sparse.rfind('7'), 1, "1");
  EXPECT_EQ(fault({"w", "weight_0", sparse}, "x"),
            "model/" + place + "it is a sparse tensor [tensor-subclass]");
  const std::string subclass =
      op::global("torch._tensor", "_rebuild_from_type_v2") +
      op::tuple({op::global("torch._utils", "_rebuild_wrapper_subclass"),
                 op::global("torchao.quantization", "Int8Tensor"), op::tuple({}), "}"}) +
      "R";
  EXPECT_EQ(
      fault({"w", "weight_0", meta(), true}, saved(subclass)),
      place + "it is an object of the Python class 'torchao.quantization.Int8Tensor' [tensor-subclass]");
  EXPECT_EQ(fault({"w", "weight_0", meta(), true}, saved("N")),
            place + "it is not a tensor [tensor-subclass]");
  EXPECT_EQ(fault({"w", "weight_0", meta(), true}, "pickle"),
            "data/weights/weight_0: torch.save did not write the record 'data/weights/weight_0' "
            "[bad-exported-program]");
}

TEST(Program, PickledPlainWeight) {
  ZipBuilder zip = layout_c({{"w", "weight_0", meta(), true}});
  zip.add("data/weights/weight_0", saved(tensor(0, {2}, {1})));
  EXPECT_THAT(elements(Program(zip.file()).weight("w")), ElementsAre(1, 2));
}

TEST(Program, CustomObjectsFailOnlyWhenTheyAreUsed) {
  ZipBuilder zip = layout_a();
  zip.add("serialized_constants.pt",
          saved(op::dict({{"obj", op::object("__torch__.torch.classes.a", "B", "}")}})));
  const Program program(zip.file());
  EXPECT_EQ(
      error_of([&] { program.constant("obj"); }),
      "the constant 'obj' cannot be read: it is an object of the Python class '__torch__.torch.classes.a.B' "
      "[tensor-subclass]");
}

TEST(Program, DamagedStores) {
  EXPECT_EQ(refused(layout_a().add("serialized_state_dict.pt", saved("]"))),
            "serialized_state_dict.pt: the record 'serialized_state_dict.pt' does not hold a dict of tensors "
            "[bad-exported-program]");
  EXPECT_THAT(refused(layout_a().add("serialized_state_dict.pt", saved("?"))),
              ::testing::StartsWith("serialized_state_dict.pt:archive/data.pkl@2: "));
  EXPECT_EQ(refused(layout_b().add("data/weights/model_weights_config.json", R"({"config": {"w": {}}})")),
            "data/weights/model_weights_config.json@19: a tensor has no 'path_name' [bad-exported-program]");
  EXPECT_EQ(refused(layout_b().add("data/weights/model_weights_config.json", R"({"config": [)")),
            "data/weights/model_weights_config.json@11: 'config' must be an object, not a list "
            "[bad-exported-program]");
}

// Which store

TEST(Program, TensorsOfTheSignature) {
  ZipBuilder zip = layout_b();
  zip.add("data/weights/model_weights_config.json",
          config({{"a", "weight_0", meta()}, {"b", "weight_0", meta()}}));
  zip.add("data/weights/weight_0", floats({1, 2}));
  zip.add("data/constants/model_constants_config.json",
          config({{"a", "tensor_0", meta()}, {"c", "tensor_0", meta()}}));
  zip.add("data/constants/tensor_0", floats({3, 4}));
  const Program program(zip.file());
  const auto first = [&](InputSpec::Kind kind, std::string_view target, std::optional<bool> persistent = {}) {
    return elements(program.tensor({.kind = kind, .target = target, .persistent = persistent})).at(0);
  };
  EXPECT_EQ(first(InputSpec::Kind::parameter, "a"), 1);
  EXPECT_EQ(first(InputSpec::Kind::buffer, "a", true), 1);
  EXPECT_EQ(first(InputSpec::Kind::buffer, "a", false), 3);
  EXPECT_EQ(first(InputSpec::Kind::tensor_constant, "a"), 3);
  EXPECT_EQ(first(InputSpec::Kind::buffer, "a"), 1);
  EXPECT_EQ(first(InputSpec::Kind::buffer, "c"), 3);
  EXPECT_EQ(error_of([&] { program.tensor({.kind = InputSpec::Kind::parameter, .target = "z"}); }),
            "the file has no data for 'z' [missing-weight]");
}

// The bytes of a text in base64, with padding.
std::string base64(const std::string& bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8U | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) text += i <= count ? kDigits[group >> (18 - 6 * i) & 63U] : '=';
  }
  return text;
}

// Schema 1 has constants in its graph. They become inputs.
TEST(Program, ConstantsOfSchema1) {
  ProgramText text;
  text.version = "1";
  text.more_graph =
      fmt::format(R"(, "constants": {{"_tensor_constant0": "{}"}})", base64(saved(tensor(1, {2}, {1}))));
  const Program program(layout_a(text).file());
  const InputSpec& constant = program.signature().inputs.back();
  EXPECT_EQ(constant.kind, InputSpec::Kind::tensor_constant);
  EXPECT_EQ(constant.name, "_tensor_constant0");
  EXPECT_THAT(elements(program.tensor(constant)), ElementsAre(2, 3));
  EXPECT_EQ(program.graph().inputs.back().get_if<TensorName>()->name, "_tensor_constant0");
  EXPECT_EQ(program.graph().tensor("_tensor_constant0")->dtype, DType::f32);
  text.more_graph = R"(, "constants": {"_tensor_constant0": "UEs"})";
  EXPECT_EQ(refused(layout_a(text)),
            "the constant '_tensor_constant0' cannot be read: it is not base64 text [bad-exported-program]");
}

TEST(Program, SampleInputsAreOptional) {
  ZipBuilder zip = layout_a();
  zip.add("serialized_example_inputs.pt", "not a pickle");
  const Program program(zip.file());
  EXPECT_EQ(program.sample_inputs(), nullptr);
  EXPECT_EQ(program.sample_inputs(), nullptr);
}

TEST(Program, RootCall) {
  EXPECT_EQ(Program(layout_a().file()).root_call(), nullptr);
  ProgramText text;
  text.calls = R"([{"fqn": "", "signature": {"inputs": [], "outputs": [],
      "in_spec": "[1, {\"type\": null}]", "out_spec": "[1, {\"type\": null}]"}}])";
  const Program program(layout_a(text).file());
  ASSERT_NE(program.root_call(), nullptr);
  EXPECT_EQ(program.root_call()->in_spec.leaves(), 1U);
}

}  // namespace
}  // namespace cameo::exported
