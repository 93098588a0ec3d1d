#include "archive/zip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "archive/byte_reader.h"
#include "archive/testing.h"
#include "cameo/diagnostic.h"

namespace cameo::archive {
namespace {

using testing::ZipBuilder;

std::optional<Code> code_of(const std::string& contents) {
  try {
    const Zip zip(ZipBuilder::hold(contents));
    for (const Record& record : zip.records()) zip.read(record);
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().front().file, "model.pt");
    EXPECT_FALSE(error.diagnostics().front().hint.empty());
    return error.diagnostics().front().code;
  }
  return std::nullopt;
}

std::string_view text_of(const Zip& zip, std::string_view name) {
  const Record* record = zip.find(name);
  return record == nullptr ? "<absent>" : as_text(zip.read(*record));
}

TEST(Zip, ReadsStoredRecordsInPlace) {
  const auto file = ZipBuilder("my model").add("data.pkl", "pickle").add("data/0", "weights").file();
  const Zip zip(file);
  ASSERT_EQ(zip.records().size(), 2u);
  EXPECT_EQ(zip.records()[0].name, "my model/data.pkl");
  EXPECT_EQ(text_of(zip, "my model/data.pkl"), "pickle");
  EXPECT_EQ(text_of(zip, "data.pkl"), "<absent>");
  const Record& weights = *zip.find("my model/data/0");
  EXPECT_EQ(zip.data_offset(weights) % 64, 0u);
  EXPECT_EQ(zip.read(weights).data(), file->bytes().data() + zip.data_offset(weights));
}

TEST(Zip, InflatesOnce) {
  const std::string source(100000, 'x');
  const Zip zip(ZipBuilder().add_deflated("code/a.py", source).add_deflated("empty", "").file());
  EXPECT_EQ(text_of(zip, "model/code/a.py"), source);
  EXPECT_EQ(text_of(zip, "model/code/a.py").data(), text_of(zip, "model/code/a.py").data());
  EXPECT_EQ(text_of(zip, "model/empty"), "");
}

TEST(Zip, ReadsZip64Fields) {
  ZipBuilder builder;
  builder.add("first", "1").add("second", "22").last().zip64 = true;
  const Zip zip(builder.file());
  EXPECT_EQ(text_of(zip, "model/second"), "22");
}

TEST(Zip, ReadsClassicEndAndComment) {
  ZipBuilder builder("");
  builder.add("version", "3\n");
  builder.zip64_end = false;
  builder.padded = false;
  builder.comment = std::string(65535, 'c');
  EXPECT_EQ(text_of(Zip(builder.file()), "version"), "3\n");
}

TEST(Zip, TellsTruncationAtEveryLength) {
  const std::string whole = ZipBuilder().add("data.pkl", "pickle").add_deflated("code/a.py", "x = 1").build();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_EQ(code_of(whole.substr(0, length)), length < 4 ? Code::not_a_zip : Code::truncated_zip) << length;
  }
  EXPECT_EQ(code_of(whole), std::nullopt);
}

TEST(Zip, SurvivesAnyChangedByte) {
  const std::string whole = ZipBuilder().add("data.pkl", "pickle").add_deflated("code/a.py", "x = 1").build();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string changed = whole;
      changed[i] = value;
      code_of(changed);
    }
  }
}

TEST(Zip, RefusesFalseFields) {
  const auto built = [](auto change) {
    ZipBuilder builder;
    builder.add("first", "1234567890").add_deflated("second", "1234567890");
    change(builder.last());
    return code_of(builder.build());
  };
  EXPECT_EQ(built([](auto& e) { e.flags = 1; }), Code::unsupported_zip);
  EXPECT_EQ(built([](auto& e) { e.disk = 1; }), Code::unsupported_zip);
  EXPECT_EQ(built([](auto& e) { e.method = 12; }), Code::unsupported_zip);
  EXPECT_EQ(built([](auto& e) { e.name = "model/first"; }), Code::bad_zip);
  EXPECT_EQ(built([](auto& e) { e.name = ""; }), Code::bad_zip);
  EXPECT_EQ(built([](auto& e) { e.size = 9; }), Code::bad_zip);
  EXPECT_EQ(built([](auto& e) { e.size = 11; }), Code::bad_zip);
  EXPECT_EQ(built([](auto& e) { e.packed_size = 1 << 20; }), Code::bad_zip);
  EXPECT_EQ(built([](auto& e) { e.packed_size = ~0ull, e.zip64 = true; }), Code::bad_zip);
  EXPECT_EQ(built([](auto& e) { e.method = 0; }), Code::bad_zip);
  EXPECT_EQ(built([](auto& e) { e.packed = "not deflate", e.packed_size = 11; }), Code::bad_zip);
}

TEST(Zip, RefusesRecordsThatOverlap) {
  ZipBuilder builder;
  builder.add("a", "1234567890").add("b", "1234567890");
  std::string whole = builder.build();
  const std::size_t second = whole.rfind("PK\x01\x02");
  whole.replace(second + 42, 4, testing::le(1, 4));
  EXPECT_EQ(code_of(whole), Code::bad_zip);
}

TEST(Zip, RefusesAbsurdCounts) {
  ZipBuilder builder;
  builder.add("a", "1");
  builder.zip64_end = false;
  std::string whole = builder.build();
  whole.replace(whole.size() - 14, 4, "\xf0\xff\xf0\xff");
  EXPECT_EQ(code_of(whole), Code::bad_zip);
  EXPECT_EQ(code_of(std::string(1000, '\0')), Code::not_a_zip);
}

TEST(Zip, RefusesBombs) {
  ZipBuilder false_size;
  false_size.add_deflated("a", "small").last().size = 1u << 30;
  EXPECT_EQ(code_of(false_size.build()), Code::zip_bomb);
  ZipBuilder sum;
  for (const char* name : {"a", "b", "c"}) {
    sum.add(name, std::string(1 << 20, 'x'));
    sum.last().method = 8;
    sum.last().size = 400u << 20;
  }
  EXPECT_EQ(code_of(sum.build()), Code::zip_bomb);
}

}  // namespace
}  // namespace cameo::archive
