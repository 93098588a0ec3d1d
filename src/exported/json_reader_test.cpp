#include "exported/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "exported/testing.h"

namespace cameo::exported {
namespace {

using ::testing::ElementsAre;
using testing::error_of;

class JsonReaderTest : public ::testing::Test {
 protected:
  JsonReader json(std::string_view text) {
    return JsonReader(text, texts_, {.file = "a.pt2", .record = "a.json"});
  }
  std::string fault(std::string_view text) {
    return error_of([&] {
      JsonReader reader = json(text);
      reader.raw();
      reader.end();
    });
  }
  std::string string(std::string_view text) { return std::string(json(text).string()); }
  Texts texts_;
};

TEST_F(JsonReaderTest, ReadsIntegersExactly) {
  EXPECT_EQ(json("9223372036854775807").integer(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(json("-9223372036854775808").integer(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(json(" 9007199254740993 ").integer(), 9007199254740993);
  EXPECT_EQ(error_of([&] { json("9223372036854775808").integer(); }),
            "a.json@0: '' must be an integer of 64 bits, not 9223372036854775808 [bad-exported-program]");
  EXPECT_EQ(error_of([&] { json("1.0").integer(); }),
            "a.json@0: '' must be an integer of 64 bits, not 1.0 [bad-exported-program]");
}

TEST_F(JsonReaderTest, ReadsReals) {
  EXPECT_EQ(json("1e-05").real(), 1e-5);
  EXPECT_EQ(json("-3").real(), -3.0);
  EXPECT_EQ(json("Infinity").real(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(json("-Infinity").real(), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(json("NaN").real()));
  EXPECT_EQ(json("\"-Infinity\"").real(), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(json("\"NaN\"").real()));
  EXPECT_EQ(error_of([&] { json("\"1\"").real(); }),
            "a.json@0: '' must be a number of 64 bits, not 1 [bad-exported-program]");
  EXPECT_EQ(error_of([&] { json("1e999").real(); }),
            "a.json@0: '' must be a number of 64 bits, not 1e999 [bad-exported-program]");
}

TEST_F(JsonReaderTest, ReadsStrings) {
  const std::string_view plain = "\"gr\xc3\xbc\xc3\x9f\"";
  EXPECT_EQ(json(plain).string().data(), plain.data() + 1);
  EXPECT_TRUE(texts_.empty());
  EXPECT_EQ(string(R"("a\n\t\"\\\/\b\f\r")"), "a\n\t\"\\/\b\f\r");
  EXPECT_EQ(string(R"("\u00e4\u20AC\ud83d\ude00")"), "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(string(R"("\ud83d.")"), "\xef\xbf\xbd.");
  EXPECT_EQ(string(R"("\ude00\ud83d\u0041")"),
            "\xef\xbf\xbd\xef\xbf\xbd"
            "A");
}

TEST_F(JsonReaderTest, ReadsContainersInOrder) {
  std::vector<std::string> seen;
  JsonReader reader = json(R"( {"a" : [1, [], {}], "b": null , "a": true} )");
  reader.object([&](std::string_view key) { seen.push_back(fmt::format("{}={}", key, reader.raw())); });
  reader.end();
  EXPECT_THAT(seen, ElementsAre("a=[1, [], {}]", "b=null", "a=true"));
}

TEST_F(JsonReaderTest, PartsKeepTheirOffsets) {
  JsonReader reader = json(R"({"a": [1, "x"]})");
  std::string_view part;
  reader.object([&](std::string_view) { part = reader.raw(); });
  JsonReader inner = reader.part(part);
  EXPECT_EQ(error_of([&] { inner.array([&] { inner.integer(); }); }),
            "a.json@10: 'a' must be an integer, not a string [bad-exported-program]");
}

TEST_F(JsonReaderTest, NamesTheFieldOfAWrongType) {
  JsonReader reader = json(R"({"sizes": [{"x": 1}, 2.5]})");
  EXPECT_EQ(error_of([&] {
              reader.object([&](std::string_view) {
                reader.array([&] { reader.object([&](std::string_view) { reader.raw(); }); });
              });
            }),
            "a.json@21: 'sizes' must be an object, not a number [bad-exported-program]");
  EXPECT_EQ(error_of([&] { json("[]").string(); }),
            "a.json@0: the program must be a string, not a list [bad-exported-program]");
}

TEST_F(JsonReaderTest, RefusesDamagedText) {
  EXPECT_EQ(fault(""), "a.json@0: the JSON text is damaged: it ends in the middle [bad-json]");
  EXPECT_EQ(fault("{\"a\": "), "a.json@6: the JSON text is damaged: it ends in the middle [bad-json]");
  EXPECT_EQ(fault("[1"), "a.json@2: the JSON text is damaged: it ends in the middle [bad-json]");
  EXPECT_EQ(fault("[1 2]"), "a.json@3: the JSON text is damaged: ',' or ']' was expected [bad-json]");
  EXPECT_EQ(fault("{\"a\" 1}"), "a.json@5: the JSON text is damaged: ':' was expected [bad-json]");
  EXPECT_EQ(fault("{a: 1}"), "a.json@1: the JSON text is damaged: a key was expected [bad-json]");
  EXPECT_EQ(fault("{\"a\": 1,}"), "a.json@8: the JSON text is damaged: a key was expected [bad-json]");
  EXPECT_EQ(fault("trap"), "a.json@0: the JSON text is damaged: a value was expected [bad-json]");
  EXPECT_EQ(fault("nul"), "a.json@0: the JSON text is damaged: a value was expected [bad-json]");
  EXPECT_EQ(fault("?"), "a.json@0: the JSON text is damaged: a value was expected [bad-json]");
  EXPECT_EQ(fault("1 2"), "a.json@2: the JSON text is damaged: more text follows the value [bad-json]");
  EXPECT_EQ(fault("-"), "a.json@1: the JSON text is damaged: it ends in the middle [bad-json]");
  EXPECT_EQ(fault("1.e"), "a.json@2: the JSON text is damaged: a digit was expected [bad-json]");
  EXPECT_EQ(fault("01"), "a.json@2: the JSON text is damaged: a number starts with 0 [bad-json]");
  EXPECT_EQ(fault("\"ab"), "a.json@3: the JSON text is damaged: it ends in the middle [bad-json]");
  EXPECT_EQ(fault("\"a\nb\""),
            "a.json@2: the JSON text is damaged: a string holds a control character [bad-json]");
  EXPECT_EQ(fault(R"("\x")"),
            "a.json@2: the JSON text is damaged: a string holds an invalid escape [bad-json]");
  EXPECT_EQ(fault(R"("\u12g4")"),
            "a.json@2: the JSON text is damaged: a string holds an invalid escape [bad-json]");
  EXPECT_EQ(fault("\"\xff\""), "a.json@0: the JSON text is damaged: it is not UTF-8 [bad-json]");
}

TEST_F(JsonReaderTest, LimitsTheDepth) {
  EXPECT_EQ(fault(std::string(256, '[') + "1" + std::string(256, ']')), "no error");
  EXPECT_EQ(fault(std::string(100'000, '[')),
            "a.json@257: JSON values are nested too deeply (limit 256) [nested-too-deeply]");
}

}  // namespace
}  // namespace cameo::exported
