#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/ort_value.h"
#include "runtime/session_fixture.h"
#include "runtime/test_model.h"

namespace cameo::runtime::testing {
namespace {

using ::testing::ElementsAre;

class SessionValuesTest : public SessionFixture {
 protected:
  static Datum pass_through(const Message& type, const Datum& datum) {
    const Session session =
        open({.inputs = {{"x", type}}, .outputs = {{"y", type}}, .nodes = {{"Identity", {"x"}, {"y"}}}});
    return session.run({{"x", datum}})[0];
  }
};

TEST_F(SessionValuesTest, CarriesEveryElementType) {
  using enum ElementType;
  for (const ElementType type : {f32, u8, i8, u16, i16, i32, i64, boolean, f16, f64, u32, u64, bf16}) {
    const std::size_t size = bits_per_element(type) / 8;
    std::vector<std::byte> bytes(3 * size);
    for (std::size_t i = 0; i < 3; ++i) bytes[i * size] = std::byte{i % 2 == 0};
    const auto array = Array::owning(type, {3}, bytes);
    const Datum result = pass_through(tensor_type(type, {3}), array);
    EXPECT_EQ(result.tensor().type(), type) << name(type);
    EXPECT_TRUE(std::ranges::equal(result.tensor().bytes(), bytes)) << name(type);
  }
}

TEST_F(SessionValuesTest, CarriesStringsWhateverTheyHold) {
  const std::vector<std::string> texts = {"plain", "", "ünï", std::string("a\0b", 3)};
  const Datum result = pass_through(tensor_type(ElementType::string, {2, 2}), Array::strings({2, 2}, texts));
  EXPECT_THAT(result.tensor().strings(), ::testing::ElementsAreArray(texts));
  EXPECT_THAT(result.tensor().shape(), ElementsAre(2, 2));
  const Datum none = pass_through(tensor_type(ElementType::string, {"n"}), Array::strings({0}, {}));
  EXPECT_TRUE(none.tensor().strings().empty());
}

TEST_F(SessionValuesTest, ReturnsSequences) {
  const Message element = tensor_type(ElementType::f32, {nullptr, 2});
  const Session session = open({.inputs = {{"x", tensor_type(ElementType::f32, {"n", 2})}},
                                .outputs = {{"rows", sequence_type(element)}},
                                .nodes = {{"SplitToSequence", {"x"}, {"rows"}, {attribute("axis", 0)}}}});
  EXPECT_EQ(session.outputs()[0].kind, ValueInfo::Kind::sequence);
  EXPECT_EQ(session.outputs()[0].type, ElementType::f32);
  const auto rows = session.run({{"x", Array::of<float>({3, 2}, {1, 2, 3, 4, 5, 6})}})[0].sequence();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_THAT(rows[0].as<float>(), ElementsAre(1, 2));
  EXPECT_THAT(rows[2].as<float>(), ElementsAre(5, 6));
  EXPECT_THAT(rows[2].shape(), ElementsAre(1, 2));
}

TEST_F(SessionValuesTest, TakesSequences) {
  const Session session =
      open({.inputs = {{"parts", sequence_type(tensor_type(ElementType::i64, {nullptr}))}},
            .outputs = {{"whole", tensor_type(ElementType::i64, {"n"})}},
            .nodes = {{"ConcatFromSequence", {"parts"}, {"whole"}, {attribute("axis", 0)}}}});
  EXPECT_EQ(to_string(session.inputs()[0]), "parts: sequence of i64[?]");
  const std::vector<Array> parts = {Array::of<std::int64_t>({1}, {1}), Array::of<std::int64_t>({2}, {2, 3})};
  EXPECT_THAT(session.run({{"parts", parts}})[0].tensor().as<std::int64_t>(), ElementsAre(1, 2, 3));
}

TEST_F(SessionValuesTest, TakesAndReturnsEmptySequences) {
  for (const ElementType type : {ElementType::f32, ElementType::i64, ElementType::string}) {
    const Session session =
        open({.inputs = {{"list", sequence_type(tensor_type(type, {nullptr}))}},
              .outputs = {{"length", tensor_type(ElementType::i64, {})},
                          {"same", sequence_type(tensor_type(type, {nullptr}))}},
              .nodes = {{"SequenceLength", {"list"}, {"length"}}, {"Identity", {"list"}, {"same"}}}});
    const auto results = session.run({{"list", std::vector<Array>{}}});
    EXPECT_THAT(results[0].tensor().as<std::int64_t>(), ElementsAre(0));
    EXPECT_TRUE(results[1].sequence().empty());
  }
}

TEST_F(SessionValuesTest, TakesOptionals) {
  const Message type = optional_type(tensor_type(ElementType::f32, {2}));
  const Session session = open({.inputs = {{"x", type}},
                                .outputs = {{"there", tensor_type(ElementType::boolean, {})}},
                                .nodes = {{"OptionalHasElement", {"x"}, {"there"}}}});
  EXPECT_EQ(to_string(session.inputs()[0]), "x: optional f32[2]");
  const auto has_element = [&](const std::vector<Session::Feed>& feeds) {
    return session.run(feeds)[0].tensor().as<bool>()[0];
  };
  EXPECT_TRUE(has_element({{"x", Array::of<float>({2}, {1, 2})}}));
  EXPECT_FALSE(has_element({{"x", Datum()}}));
  EXPECT_FALSE(has_element({}));
}

TEST_F(SessionValuesTest, ReturnsOptionals) {
  const Message tensor = tensor_type(ElementType::f32, {2});
  const Message sequence = sequence_type(tensor);
  const Session session = open({.inputs = {{"x", tensor}},
                                .outputs = {{"full", optional_type(tensor)},
                                            {"none", optional_type(tensor)},
                                            {"list", optional_type(sequence)}},
                                .nodes = {{"Optional", {"x"}, {"full"}},
                                          {"Optional", {}, {"none"}, {type_attribute("type", tensor)}},
                                          {"SequenceConstruct", {"x", "x"}, {"both"}},
                                          {"Optional", {"both"}, {"list"}}}});
  EXPECT_EQ(to_string(session.outputs()[2]), "list: optional sequence of f32[2]");
  const auto results = session.run({{"x", Array::of<float>({2}, {1, 2})}});
  EXPECT_THAT(results[0].tensor().as<float>(), ElementsAre(1, 2));
  EXPECT_FALSE(results[1].has_value());
  EXPECT_EQ(results[2].sequence().size(), 2u);
}

TEST_F(SessionValuesTest, ReturnsMaps) {
  const Message scalar = tensor_type(ElementType::f32, {});
  const Session session = open(
      {.inputs = {{"x", tensor_type(ElementType::f32, {"n", 2})}},
       .outputs = {{"named", sequence_type(map_type(ElementType::string, scalar))}},
       .nodes = {
           {"ZipMap", {"x"}, {"named"}, {attribute("classlabels_strings", {"cat", "dog"})}, "ai.onnx.ml"}}});
  EXPECT_EQ(to_string(session.outputs()[0]), "named: sequence of map from string to f32");
  const auto maps = session.run({{"x", Array::of<float>({2, 2}, {1, 2, 3, 4})}})[0].map_sequence();
  ASSERT_EQ(maps.size(), 2u);
  EXPECT_THAT(maps[1].keys.strings(), ElementsAre("cat", "dog"));
  EXPECT_THAT(maps[1].values.as<float>(), ElementsAre(3, 4));
}

TEST_F(SessionValuesTest, TakesMaps) {
  const Message scalar = tensor_type(ElementType::f32, {});
  const Session session = open({.inputs = {{"counts", map_type(ElementType::string, scalar)}},
                                .outputs = {{"y", tensor_type(ElementType::f32, {1, 3})}},
                                .nodes = {{"DictVectorizer",
                                           {"counts"},
                                           {"y"},
                                           {attribute("string_vocabulary", {"a", "b", "c"})},
                                           "ai.onnx.ml"}}});
  EXPECT_EQ(to_string(session.inputs()[0]), "counts: map from string to f32");
  const MapValue counts{Array::strings({2}, {"c", "a"}), Array::of<float>({2}, {3, 1})};
  EXPECT_THAT(session.run({{"counts", counts}})[0].tensor().as<float>(), ElementsAre(1, 0, 3));
  const MapValue uneven{Array::strings({1}, {"c"}), Array::of<float>({2}, {3, 1})};
  try {
    session.run({{"counts", uneven}});
    FAIL() << "a map with more values than keys was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics()[0].code, Code::bad_value);
  }
  try {
    session.run({{"counts", Array::of<float>({2}, {3, 1})}});
    FAIL() << "a tensor was taken for a map";
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics()[0].hint, "`counts` was fed a tensor: feed counts: map from string to f32");
  }
}

TEST(ElementNumbers, GoBothWays) {
  for (int number = 0; number <= 26; ++number) {
    const auto type = static_cast<ElementType>(number);
    EXPECT_EQ(from_ort(to_ort(type)), type) << name(type);
  }
}

}  // namespace
}  // namespace cameo::runtime::testing
