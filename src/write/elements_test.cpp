#include "write/elements.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"
#include "cameo/diagnostic.h"

namespace cameo {
namespace {

namespace fs = std::filesystem;

// `pieces` pieces of 100'000 bytes that all are `mark`.
onnx::Data marked(char mark, int pieces) {
  constexpr std::int64_t kPiece = 100'000;
  return {DType::u8, {kPiece * pieces}, onnx::Recipe([mark, pieces](const onnx::Sink& sink) {
            const std::vector<std::byte> piece(kPiece, static_cast<std::byte>(mark));
            for (int i = 0; i < pieces; ++i) sink(piece);
          })};
}

class ElementsTest : public ::testing::Test {
 protected:
  std::string written() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  const TemporaryFolder folder;
  const std::string path = folder.file("written");
};

TEST_F(ElementsTest, SmallAndLargeOnesStandInTheirOrder) {
  NewFile file(path);
  Elements elements(file);
  const onnx::Data constants[] = {marked('a', 20), marked('b', 0),  marked('c', 1),
                                  marked('d', 30), marked('e', 10), marked('f', 2)};
  std::string expected;
  for (const onnx::Data& data : constants) {
    file.append("head");
    elements.put(data);
    expected += "head";
    data.copy_to([&expected](Bytes bytes) {
      expected.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
  }
  file.append("end");
  elements.finish();
  file.commit();
  EXPECT_EQ(written(), expected + "end");
}

TEST_F(ElementsTest, WhatWentWrongIsPassedOnAndLeavesNoFile) {
  {
    NewFile file(path);
    Elements elements(file);
    const onnx::Data broken(DType::u8, {10'000'000}, onnx::Recipe([](const onnx::Sink&) {
                              throw Error(Diagnostic{.code = Code::cannot_read, .message = "no data"});
                            }));
    const onnx::Data before = marked('a', 20), behind = marked('b', 20);
    elements.put(before);
    elements.put(broken);
    elements.put(behind);
    EXPECT_THROW(elements.finish(), Error);
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace cameo
