#include "write/write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/new_file.h"
#include "base/temporary_folder.h"
#include "cameo/diagnostic.h"
#include "onnx/downgrade/downgrade.h"
#include "onnx/emit/emit.h"
#include "onnx/graph/finish.h"
#include "onnx/lower/lower.h"
#include "onnx/proto/encode.h"

namespace cameo {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class WriteTest : public ::testing::Test {
 protected:
  // x + weight, with a weight of `count` numbers.
  onnx::proto::Model build(std::int64_t count) {
    onnx::Model model;
    onnx::Emit emit(model, onnx::downgrade(), {});
    onnx::Value* x = emit.graph_input(&model.main(), {.dtype = DType::f32, .shape = onnx::Shape{count}}, "x");
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
    onnx::Value* weight =
        emit.constant(onnx::Data::of<float>(DType::f32, {count}, std::span<const float>(numbers)), "weight");
    emit.graph_output(&model.main(), emit.op("Add", {x, weight}), "y");
    onnx::finish(model);
    return onnx::Lowering(texts_).model(model);
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }

  const TemporaryFolder temporary;
  const fs::path folder = temporary.path();

 private:
  onnx::proto::Texts texts_;
};

TEST_F(WriteTest, FileAndMemoryAreTheSame) {
  const onnx::proto::Model model = build(100'000);
  const Written written = write(model, folder / "m.onnx");
  const std::string bytes = encode(model);
  EXPECT_EQ(written.bytes, bytes.size());
  EXPECT_EQ(written.external_bytes, 0u);
  EXPECT_EQ(contents(folder / "m.onnx"), bytes);
  EXPECT_EQ(encode(model), bytes);
  EXPECT_EQ(files(), 1u);
}

TEST_F(WriteTest, ExternalDataLiesBeside) {
  const onnx::proto::Model model = build(2000);
  const Written written = write(model, folder / "m.onnx", {.external_data = ExternalData::always});
  EXPECT_EQ(written.external_bytes, 8000u);
  EXPECT_EQ(fs::file_size(folder / "m.onnx.data"), 8000u);
  EXPECT_LT(written.bytes, 500u);
  EXPECT_THAT(contents(folder / "m.onnx"), HasSubstr("m.onnx.data"));
}

TEST_F(WriteTest, AnUnfinishedFileLeavesTheOldOneAndNothingElse) {
  std::ofstream(folder / "m.onnx") << "old";
  {
    NewFile file(folder / "m.onnx");
    file.append(std::string(200'000, 'x'));
    EXPECT_EQ(contents(folder / "m.onnx"), "old");
  }
  EXPECT_EQ(contents(folder / "m.onnx"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(WriteTest, ReplacesTheOldFileWhenComplete) {
  std::ofstream(folder / "m.onnx") << "old";
  NewFile file(folder / "m.onnx");
  file.append("new");
  file.commit();
  EXPECT_EQ(contents(folder / "m.onnx"), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(WriteTest, CopiesFromAMappedFileWithItsHoles) {
  {
    std::ofstream source(folder / "source", std::ios::binary);
    source << std::string(100'000, 'a');
    source.seekp(3'000'000);
    source << std::string(50'000, 'b');
  }
  fs::resize_file(folder / "source", 5'000'000);
  const auto source = MappedFile::open(folder / "source");
  NewFile file(folder / "copy");
  file.append("head");
  file.append(*source, 99'990, 3'000'000);
  file.append_zeros(10);
  file.append(*source, 4'000'000, 1'000'000);
  EXPECT_EQ(file.size(), 4'000'014u);
  file.commit();
  const std::string all = contents(folder / "source");
  EXPECT_TRUE(contents(folder / "copy") ==
              "head" + all.substr(99'990, 3'000'000) + std::string(10, 0) + all.substr(4'000'000));
}

TEST_F(WriteTest, CopiesManyPiecesFromAMappedFile) {
  std::string all(3'000'001, 0);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<char>(i * 2654435761u >> 9);
  std::ofstream(folder / "source", std::ios::binary) << all;
  const auto source = MappedFile::open(folder / "source");
  NewFile file(folder / "copy");
  file.append("head");
  file.append(*source, 7, 10);
  file.append(*source, 1, 3'000'000);
  file.append("end");
  file.commit();
  EXPECT_TRUE(contents(folder / "copy") == "head" + all.substr(7, 10) + all.substr(1) + "end");
}

TEST_F(WriteTest, SaysWhyItCannotWrite) {
  const onnx::proto::Model model = build(4);
  try {
    write(model, folder / "nowhere" / "m.onnx");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics()[0].stage(), Stage::write);
    EXPECT_EQ(error.diagnostics()[0].code, Code::cannot_write);
    EXPECT_THAT(error.what(), HasSubstr("No such file or directory"));
  }
}

}  // namespace
}  // namespace cameo
