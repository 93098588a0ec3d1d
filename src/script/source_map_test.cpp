#include "script/source_map.h"

#include <gtest/gtest.h>

#include "archive/testing.h"

namespace cameo::script {
namespace {

namespace op = archive::testing::op;

constexpr std::string_view kFunction = "  def forward(self, x):\n    y = caf\u00e9(x)\n    return y\n";
constexpr std::string_view kStack =
    "/usr/lib/torch/nn/modules/conv.py(459): _conv_forward\nC:\\work (x86)\\net.py(7): forward\n";

// Keeps the bytes that the pickle's strings point into.
struct Table {
  std::string bytes;
  PickledSourceMap map;
  explicit Table(const std::string& body)
      : bytes(op::pickle(body)),
        map(std::make_shared<archive::Pickle>(
                Bytes{reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()},
                archive::PickleSource{.name = "x.debug_pkl", .storage = {}}),
            "x.debug_pkl") {}
};

std::string source(std::string_view text, const std::string& file, int line) {
  return op::tuple({op::str(text), file, op::integer(line)});
}
std::string range(const std::string& source, std::int64_t begin, std::int64_t end) {
  return op::tuple({source, op::integer(begin), op::integer(end)});
}
std::string record(int offset, const std::string& range) { return op::tuple({op::integer(offset), range}); }
std::string tagged(int offset, const std::string& range) {
  return op::tuple({op::integer(offset), range, op::integer(1)});
}

void expect_scripted(const PickledSourceMap& map) {
  EXPECT_TRUE(map.locate(9).empty());
  EXPECT_FALSE(map.traced());
  for (const std::uint32_t offset : {10u, 15u, 19u}) {
    const auto frames = map.locate(offset);
    ASSERT_EQ(frames.size(), 1u);
    EXPECT_EQ(frames[0].file, "/home/me/net.py");
    EXPECT_EQ(frames[0].line, 114);
    EXPECT_EQ(frames[0].column, 9);
    EXPECT_EQ(frames[0].length, 8);
    EXPECT_EQ(frames[0].text, "    y = caf\u00e9(x)");
    EXPECT_EQ(frames[0].function, "forward");
  }
  EXPECT_EQ(map.locate(20)[0].line, 115);
  EXPECT_EQ(map.locate(4000000000)[0].text, "    return y");
}

const std::string kFile = op::str("/home/me/net.py");

TEST(SourceMap, PairsOfTheOldestLayout) {
  const std::string src = source(kFunction, kFile, 113);
  expect_scripted(Table(op::tuple({record(10, range(src, 32, 40)), record(20, range(src, 45, 53))})).map);
}

TEST(SourceMap, TriplesWithATag) {
  const std::string src = source(kFunction, kFile, 113);
  expect_scripted(Table(op::tuple({tagged(10, range(src, 32, 40)), tagged(20, range(src, 45, 53))})).map);
}

std::string indexed(const std::vector<std::string>& texts, const std::vector<std::string>& records) {
  return op::tuple({op::str("FORMAT_WITH_STRING_TABLE"), op::tuple(texts), op::tuple(records)});
}
std::string indexed_source(const std::vector<std::int64_t>& lines, std::int64_t file, std::int64_t line) {
  std::vector<std::string> items;
  for (const std::int64_t i : lines) items.push_back(op::integer(i));
  return op::tuple({op::list(items), op::integer(file), op::integer(line)});
}

const std::vector<std::string> kTexts = {op::str(""), op::str("  def forward(self, x):\n"),
                                         op::str("    y = caf\u00e9(x)\n"), op::str("    return y\n"), kFile};

TEST(SourceMap, TableOfTexts) {
  const std::string src = indexed_source({1, 2, 3, 0}, 4, 113);
  expect_scripted(
      Table(indexed(kTexts, {tagged(10, range(src, 32, 40)), tagged(20, range(src, 45, 53))})).map);
}

TEST(SourceMap, TracedCallStack) {
  const std::string src = source(kStack, op::str("/usr/lib/torch/nn/modules/conv.py"), 459);
  const Table table(op::tuple({record(0, range(src, 0, std::ssize(kStack)))}));
  EXPECT_TRUE(table.map.traced());
  const auto frames = table.map.locate(3);
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].file, "/usr/lib/torch/nn/modules/conv.py");
  EXPECT_EQ(frames[0].line, 459);
  EXPECT_EQ(frames[0].function, "_conv_forward");
  EXPECT_EQ(frames[0].column, 0);
  EXPECT_EQ(frames[1].file, "C:\\work (x86)\\net.py");
  EXPECT_EQ(frames[1].line, 7);
  EXPECT_EQ(frames[1].function, "forward");
}

TEST(SourceMap, CodeWithoutSourceTakesTheNearestInItsScope) {
  const std::string src = indexed_source({1, 2, 3, 0}, 4, 113);
  const std::string none = range(indexed_source({}, 0, 0), 0, 1);
  const Table table(indexed(kTexts, {tagged(0, none), tagged(10, range(src, 32, 40)), tagged(20, none),
                                     tagged(30, range(src, 45, 53)), tagged(40, none)}));
  const PickledSourceMap& map = table.map;
  EXPECT_TRUE(map.locate(5).empty());
  EXPECT_TRUE(map.locate(25).empty());
  EXPECT_EQ(map.locate({10, 12}, {0, 50})[0].line, 114);
  EXPECT_EQ(map.locate({25, 35}, {0, 50})[0].line, 115);  // what follows within the range
  EXPECT_EQ(map.locate({25, 28}, {0, 50})[0].line, 114);  // what comes before it
  EXPECT_EQ(map.locate({2, 5}, {0, 50})[0].line, 114);    // what comes after it
  EXPECT_EQ(map.locate({25, 28}, {20, 50})[0].line, 115);
  EXPECT_TRUE(map.locate({25, 28}, {20, 30}).empty());
  EXPECT_TRUE(SourceMap().locate({0, 1}, {0, 1}).empty());
}

TEST(SourceMap, SourceWithoutFile) {
  const Table table(op::tuple({record(0, range(source("return x\n", "N", 0), 0, 6))}));
  const auto frames = table.map.locate(0);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].file, "");
  EXPECT_EQ(frames[0].line, 1);
}

std::string table_error(const std::string& body) {
  try {
    const Table table(body);
  } catch (const Error& e) {
    EXPECT_EQ(e.diagnostics()[0].code, Code::bad_source_map);
    EXPECT_EQ(e.diagnostics()[0].record, "x.debug_pkl");
    return std::string(e.what()).substr(
        std::string_view("the table of source positions is malformed: ").size());
  }
  return "no error";
}

TEST(SourceMap, Faults) {
  const std::string src = source(kFunction, kFile, 113);
  const auto one = [](const std::string& record) { return op::tuple({record}); };
  EXPECT_EQ(table_error("K\x01"), "the table should be a tuple");
  EXPECT_EQ(table_error(op::tuple({op::str("FORMAT_X")})), "its format is unknown");
  EXPECT_EQ(table_error(one(record(-1, range(src, 0, 1)))), "an offset is -1, beyond 0 to 4294967295");
  EXPECT_EQ(table_error(one(record(1, range(src, 0, 1000)))), "the end of a range is 1000, beyond 0 to 54");
  EXPECT_EQ(table_error(one(record(1, range(src, 5, 4)))), "the begin of a range is 5, beyond 0 to 4");
  EXPECT_EQ(table_error(one(record(1, range(source(kFunction, "K\x01", 1), 0, 1)))),
            "a file's name should be a string");
  EXPECT_EQ(table_error(one(op::tuple({"N"}))), "a record should be a tuple of 2");
  EXPECT_EQ(table_error(indexed(kTexts, {tagged(1, range(indexed_source({9}, 4, 1), 0, 1))})),
            "there is no text 9");
  EXPECT_EQ(table_error(indexed(kTexts, {tagged(1, range(indexed_source({1}, 7, 1), 0, 1))})),
            "there is no text 7");
  EXPECT_EQ(table_error(indexed({"N"}, {})), "a text should be a string");
  const std::string line = op::str(std::string(1 << 20, 'x'));
  EXPECT_EQ(table_error(indexed(
                {line}, {tagged(1, range(indexed_source(std::vector<std::int64_t>(17), 0, 1), 0, 1))})),
            "the text of a source is longer than 16 MiB");
}

}  // namespace
}  // namespace cameo::script
